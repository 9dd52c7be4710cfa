"""The rewritten network: the same whole numbers as before, on small networks made here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vgsynth.voices.kokoro_graph import extreme_product, with_matrix_products

onnx = pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime")


def convolution(
    path: Path,
    *,
    taps: int,
    dilation: int,
    pads: tuple[int, int],
    stride: int = 1,
    zero: int = 117,
    seed: int = 0,
) -> Path:
    """A network of one ConvInteger: x (1, 6, T) uint8 -> y (1, 5, T') int32."""
    from onnx import TensorProto, helper, numpy_helper

    weights = np.random.default_rng(seed).integers(0, 256, (5, 6, taps)).astype(np.uint8)
    node = helper.make_node(
        "ConvInteger",
        ["x", "w", "x_zero", "w_zero"],
        ["y"],
        name="conv",
        kernel_shape=[taps],
        dilations=[dilation],
        pads=list(pads),
        strides=[stride],
        group=1,
    )
    graph = helper.make_graph(
        [node],
        "g",
        [
            helper.make_tensor_value_info("x", TensorProto.UINT8, [1, 6, None]),
            helper.make_tensor_value_info("x_zero", TensorProto.UINT8, []),
        ],
        [helper.make_tensor_value_info("y", TensorProto.INT32, None)],
        [numpy_helper.from_array(weights, "w"), numpy_helper.from_array(np.array(zero, np.uint8), "w_zero")],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9), path)
    return path


def run(path: Path, **feeds: Any) -> Any:
    return onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"]).run(None, feeds)[0]


def operators(path: Path) -> list[str]:
    return [node.op_type for node in onnx.load(path).graph.node]


@pytest.fixture(scope="module")
def exact(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Skips where sums of 8-bit products saturate at 16 bits (processors without 8-bit dot products).

    The model is not prepared there: the original speaks.
    """
    path = tmp_path_factory.mktemp("exact") / "extreme.onnx"
    extreme_product(path, 64)
    product = run(path, a=np.full((1, 2, 64), 255, dtype=np.uint8))
    if not (product == 64 * 255 * np.array([127, -128])).all():
        pytest.skip("8-bit products saturate on this processor; the original model is used on it")


@pytest.mark.usefixtures("exact")
@pytest.mark.parametrize(
    ("taps", "dilation", "pads"),
    [
        (1, 1, (0, 0)),
        (3, 1, (1, 1)),
        (3, 5, (5, 5)),
        (7, 3, (9, 9)),
        (5, 1, (0, 4)),
        (11, 1, (0, 0)),
        (4, 2, (3, 0)),
    ],
)
@pytest.mark.parametrize("x_zero", [0, 131, 255])
def test_a_convolution_keeps_every_value(
    tmp_path: Path, taps: int, dilation: int, pads: tuple[int, int], x_zero: int
) -> None:
    plain = convolution(tmp_path / "plain.onnx", taps=taps, dilation=dilation, pads=pads)
    with_matrix_products(plain, tmp_path / "quick.onnx")
    assert "ConvInteger" not in operators(tmp_path / "quick.onnx")
    x = np.random.default_rng(1).integers(0, 256, (1, 6, 40)).astype(np.uint8)
    expected = run(plain, x=x, x_zero=np.array(x_zero, np.uint8))
    assert expected.any()
    np.testing.assert_array_equal(
        run(tmp_path / "quick.onnx", x=x, x_zero=np.array(x_zero, np.uint8)), expected
    )


def test_strided_convolutions_are_left_alone(tmp_path: Path) -> None:
    plain = convolution(tmp_path / "plain.onnx", taps=3, dilation=1, pads=(1, 1), stride=2)
    with_matrix_products(plain, tmp_path / "quick.onnx")
    assert operators(tmp_path / "quick.onnx") == ["ConvInteger"]


def test_the_product_of_the_largest_bytes(tmp_path: Path) -> None:
    extreme_product(tmp_path / "extreme.onnx", 64)
    a = np.zeros((1, 2, 64), dtype=np.uint8)
    a[0, 1] = 1  # small values saturate nowhere
    np.testing.assert_array_equal(run(tmp_path / "extreme.onnx", a=a)[0], [[0, 0], [127 * 64, -128 * 64]])
