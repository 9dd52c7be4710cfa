"""The same sums, sooner: Kokoro's integer convolutions as integer matrix products.

onnxruntime computes ``ConvInteger`` with a kernel for unsigned bytes on both sides. ``MatMulInteger`` with
signed weights reaches the processor's dot-product instructions. A convolution is a matrix product over
shifted copies of its input, and sums of whole numbers are exact in any order: not a bit of the audio changes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

VERSION = 1
_TO_THE_END = 2**62


def with_matrix_products(source: Path, target: Path) -> None:
    """Write ``source`` with each plain ``ConvInteger`` (stride 1, one group) replaced. Raises ImportError
    without the ``onnx`` package.
    """
    import onnx
    from onnx import numpy_helper

    model = onnx.load(source)
    graph = model.graph
    constants = {tensor.name: tensor for tensor in graph.initializer}
    made: dict[str, NDArray[Any]] = {}
    nodes: list[Any] = []
    for node in graph.node:
        attributes = {entry.name: onnx.helper.get_attribute_value(entry) for entry in node.attribute}
        if node.op_type != "ConvInteger" or attributes["group"] != 1 or attributes["strides"] != [1]:
            nodes.append(node)
            continue
        weights, zero = (numpy_helper.to_array(constants[node.input[place]]) for place in (1, 3))
        nodes.extend(_matrix_product(node, attributes, weights, zero, made))
    used = {name for node in nodes for name in node.input}
    kept = [tensor for name, tensor in constants.items() if name in used]
    del graph.node[:], graph.initializer[:]
    graph.node.extend(nodes)
    graph.initializer.extend([*kept, *(numpy_helper.from_array(array, name) for name, array in made.items())])
    onnx.save(model, target)


def _matrix_product(
    node: Any,
    attributes: dict[str, Any],
    weights: NDArray[Any],
    zero: NDArray[Any],
    made: dict[str, NDArray[Any]],
) -> Iterator[Any]:
    """Nodes for a convolution of (1, C, T) by weights (O, C, k): the product of (1, T, k C) and (k C, O)."""
    from onnx.helper import make_node

    def constant(name: str, array: NDArray[Any]) -> str:
        made[name] = array
        return name

    def index(value: int) -> str:
        return constant(f"vg_index_{value}", np.array([value], dtype=np.int64))

    (taps,), (dilation,), (before, after) = (attributes[key] for key in ("kernel_shape", "dilations", "pads"))
    columns = np.ascontiguousarray(weights.transpose(2, 1, 0).reshape(-1, weights.shape[0]))
    name = node.name

    yield make_node("Transpose", [node.input[0]], [f"{name}_rows"], perm=[0, 2, 1])
    rows = f"{name}_rows"
    if before or after:
        pads = constant(f"vg_pads_{before}_{after}", np.array([0, before, 0, 0, after, 0], dtype=np.int64))
        yield make_node("Pad", [rows, pads, node.input[2]], [f"{name}_padded"])
        rows = f"{name}_padded"
    if taps > 1:
        shifted = [f"{name}_tap_{tap}" for tap in range(taps)]
        for tap, output in enumerate(shifted):
            end = -dilation * (taps - 1 - tap) or _TO_THE_END
            yield make_node("Slice", [rows, index(dilation * tap), index(end), index(1)], [output])
        rows = f"{name}_taps"
        yield make_node("Concat", shifted, [rows], axis=2)
    factors = [
        rows,
        constant(f"{name}_weights", _signed(columns)),
        node.input[2],
        constant(f"{name}_zero", _signed(zero)),
    ]
    yield make_node("MatMulInteger", factors, [f"{name}_product"])
    yield make_node("Transpose", [f"{name}_product"], [node.output[0]], perm=[0, 2, 1])


def _signed(unsigned: NDArray[Any]) -> NDArray[np.int8]:
    """Bytes less 128. Weight and zero point move alike, so that their difference stays."""
    if unsigned.dtype != np.uint8:
        raise ValueError(f"weights are unsigned bytes here, not {unsigned.dtype}")
    return np.asarray((unsigned.astype(np.int16) - 128).astype(np.int8))


def extreme_product(target: Path, width: int) -> None:
    """Write a model ``a (1, n, width) uint8 -> b (1, n, 2) int32`` by weights of 127 and of -128.

    Some processors' kernels saturate at such values; where they do, the plain model is used.
    """
    import onnx
    from onnx import TensorProto, numpy_helper
    from onnx.helper import make_graph, make_model, make_node, make_opsetid, make_tensor_value_info

    weights = np.repeat(np.array([[127, -128]], dtype=np.int8), width, axis=0)
    graph = make_graph(
        [make_node("MatMulInteger", ["a", "weights"], ["b"])],
        "extreme",
        [make_tensor_value_info("a", TensorProto.UINT8, [1, None, width])],
        [make_tensor_value_info("b", TensorProto.INT32, [1, None, 2])],
        [numpy_helper.from_array(weights, "weights")],
    )
    onnx.save(make_model(graph, opset_imports=[make_opsetid("", 20)], ir_version=9), target)
