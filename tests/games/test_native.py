"""What `native.py` uses of numba's private parts still does what it is used for."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm  # type: ignore[import-untyped]
import numpy as np
import pytest
from numba import types
from numba.core import codegen, compiler
from numba.core.errors import NumbaError

import headway.games.native

native: Any = headway.games.native

TESTED = {
    "_nrt", "_values", "_compiler", "_customize_flags", "_name", "_linking_libraries",
    "_reload_init", "_finalized", "_final_module", "_optimize_final_module",
}  # fmt: skip
"""The private names of numba in `native.py`; each is in a test below."""


def one_more(n: Any) -> Any:
    return n + 1


def two_more(n: Any) -> Any:
    return inner_one(n) + 1


inner_one = native.inner(one_more, False)


@pytest.fixture(scope="module")
def entry() -> Any:
    """A compiled kernel that calls another one."""
    compiled = native.entry(two_more, cache=False)
    assert compiled(3) == 5
    return compiled


def test_every_private_name_is_tested() -> None:
    tree = ast.parse(Path(native.__file__).read_text())
    used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    used |= {str(node.value) for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    used |= {str(node.arg) for node in ast.walk(tree) if isinstance(node, ast.keyword)}
    used |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    own = {*vars(native), "_replace"}  # named tuples have the last one
    assert {name for name in used - own if re.fullmatch("_[a-z][a-z_]*", name)} == TESTED


def test_nrt_forbids_kernels_that_make_arrays() -> None:
    with pytest.raises(NumbaError, match="NRT required"):
        native.entry(lambda n: np.zeros(n), cache=False)(3)


def test_values_are_what_is_set_of_flags() -> None:
    one, two = compiler.Flags(), compiler.Flags()
    one.nrt = two.nrt = True
    assert native._QuickFlags(one) == native._QuickFlags(two)
    two.forceinline = True
    assert native._QuickFlags(one) != native._QuickFlags(two)
    assert len(two._values) == len(one._values) + 1


def test_customize_flags_of_the_compiler_makes_the_flags(
    entry: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert inner_one._compiler._customize_flags is native._QuickFlags
    made, other = list[Any](), native.inner(one_more, False)

    def customize(flags: Any) -> Any:
        made.append(flags)
        return flags

    monkeypatch.setattr(other._compiler, "_customize_flags", customize)
    other.get_call_template((types.int64,), {})
    assert isinstance(made[0], compiler.Flags)


def test_a_pass_is_known_by_its_name(entry: Any) -> None:
    passes = native._InnerCompiler.define_pipelines(_compiling())[0].passes
    kinds = [one for one, _ in passes]
    assert native._InnerLowering in kinds
    assert native._InnerLowering.name() == native._InnerLowering._name == "headway_inner_lowering"
    assert not native._InnerCompiler.left_out & set(kinds)


def test_every_pass_that_is_left_out_exists() -> None:
    usual = compiler.DefaultPassBuilder.define_nopython_pipeline(_compiling().state)
    assert {one for one, _ in usual.passes} >= native._InnerCompiler.left_out


def _compiling() -> Any:
    state = compiler.StateDict(flags=compiler.Flags(), args=(), locals={}, func_ir=None)
    return type(
        "Compiling", (native._InnerCompiler,), {"__init__": lambda _: None, "state": state}
    )()


def test_inner_kernels_are_linked_into_their_callers(entry: Any) -> None:
    """`_finalized` without native code; `_linking_libraries` and `_reload_init` are passed on."""
    (kept,) = inner_one.overloads.values()
    library = kept.library
    assert isinstance(library, native._InnerLibrary)
    assert library._finalized
    (caller,) = entry.overloads.values()
    assert library in caller.library._linking_libraries
    used = native._InnerLibrary(library.codegen, "used")
    used._reload_init.add("module")
    caller_library = native._InnerLibrary(library.codegen, "caller")
    caller_library._linking_libraries.append(used)
    caller_library.finalize()
    assert caller_library._reload_init == {"module"}
    assert caller_library.with_used() == [caller_library, used]
    assert isinstance(caller.library, codegen.JITCodeLibrary)


def test_only_the_entry_can_be_called_from_outside(entry: Any) -> None:
    """`_optimize_final_module` is called once all is in `_final_module`; it hides what is used."""
    (kept,) = inner_one.overloads.values()
    library = native._EntryLibrary(kept.library.codegen, "own")
    code = llvm.parse_assembly(
        "declare i64 @far(i64)\n"
        "define linkonce_odr i64 @used(i64 %n) noinline { %m = call i64 @far(i64 %n) ret i64 %m }\n"
        "define i64 @own(i64 %n) { %m = call i64 @used(i64 %n) ret i64 %m }"
    )
    library._final_module = code
    library._optimize_final_module()
    linkage = {function.name: function.linkage.name for function in code.functions}
    assert linkage == {"far": "external", "used": "internal", "own": "external"}
    (caller,) = entry.overloads.values()
    assert isinstance(caller.library, native._EntryLibrary)
    assert "define linkonce_odr" not in caller.library.get_llvm_str()
