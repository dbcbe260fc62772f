"""Native code of kernels, made by numba: one library for each kernel that Python calls.

numba by itself optimises, compiles and wraps every function that it meets, and then does it again
inside each caller. Here a kernel that only other kernels call stays unoptimised LLVM code, and the
kernel that Python calls is optimised once, together with everything that it uses. Its arguments
have their plain types: numba would compile a kernel again for every literal number in a call.

Kernels make no arrays and return none, so nothing counts references to arrays (`_nrt`). Counting
costs a quarter of the speed, and threads that count wait for each other.

Only `kernel.py` imports this module, when something is compiled.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

import numpy as np
from numba import njit, types
from numba.core import codegen, compiler, registry, typed_passes, untyped_passes
from numba.core.compiler_machinery import PassManager, register_pass
from numba.extending import intrinsic


def entry(function: FunctionType, cache: bool) -> Any:
    """Returns a kernel that Python can call, compiled on its first call."""
    return njit(cache=cache, nogil=True, _nrt=False, pipeline_class=_EntryCompiler)(function)


def inner(function: FunctionType, inline: bool) -> Any:
    """Returns a kernel that only other kernels can call; their callers contain its code."""
    options = {
        "nopython": True, "nogil": True, "_nrt": False,
        "no_cpython_wrapper": True, "no_cfunc_wrapper": True, "forceinline": inline,
    }  # fmt: skip
    return _InnerDispatcher(function, targetoptions=options, pipeline_class=_InnerCompiler)


class _QuickFlags(compiler.Flags):  # type: ignore[misc]
    """Compiler flags that are compared by what is set; numba compares them thousands of times."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, compiler.Flags) and bool(self._values == other._values)

    def __hash__(self) -> int:
        return len(self._values)


class _InnerDispatcher(registry.CPUDispatcher):  # type: ignore[misc]
    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._compiler._customize_flags = _QuickFlags

    def add_overload(self, cres: Any) -> None:
        self.overloads[tuple(cres.signature.args)] = cres

    def get_call_template(self, args: Any, kws: Any) -> Any:
        plain = tuple(types.unliteral(arg) for arg in args)
        return super().get_call_template(plain, {k: types.unliteral(v) for k, v in kws.items()})


class _EntryLibrary(codegen.JITCodeLibrary):  # type: ignore[misc]
    """Code of a kernel that Python calls, with that of all kernels that it uses.

    As nothing else calls these, LLVM inlines those with one caller and passes to the others only
    what they read: an array alone has seven arguments or more.
    """

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if function.linkage.name == "linkonce_odr":  # what was linked, not the kernel itself
                function.linkage = "internal"
        super()._optimize_final_module()


@register_pass(mutates_CFG=True, analysis_only=False)
class _EntryLowering(typed_passes.NativeLowering):  # type: ignore[misc]
    _name = "headway_entry_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = _EntryLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        super().run_pass(state)
        return True


class _InnerLibrary(codegen.JITCodeLibrary):  # type: ignore[misc]
    """Code of one kernel; it is linked into the entry that uses it and becomes native there."""

    def finalize(self) -> None:
        for library in self._linking_libraries:
            self._reload_init.update(library._reload_init)
        self._finalized = True

    def with_used(self) -> list[Any]:
        """Returns the library and all that it uses, callers first: LLVM drops unknown code."""
        return list(dict.fromkeys([self, *self._linking_libraries]))


@register_pass(mutates_CFG=True, analysis_only=False)
class _InnerLowering(typed_passes.NativeLowering):  # type: ignore[misc]
    _name = "headway_inner_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = _InnerLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        key = object()  # what callers find the code by; nothing calls it
        state.targetctx.insert_user_function(key, state.cr.fndesc, state.library.with_used())
        state.cr = state.cr._replace(cfunc=key)
        return True


class _EntryCompiler(compiler.CompilerBase):  # type: ignore[misc]
    lowering: Any = _EntryLowering
    left_out: frozenset[Any] = frozenset()

    def define_pipelines(self) -> list[Any]:
        usual = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes = PassManager(type(self).__name__)
        for step, description in usual.passes:
            if step not in self.left_out:
                lowers = step is typed_passes.NativeLowering
                passes.add_pass(self.lowering if lowers else step, description)
        passes.finalize()
        return [passes]


class _InnerCompiler(_EntryCompiler):
    lowering = _InnerLowering
    left_out = frozenset(
        {
            untyped_passes.WithLifting,
            untyped_passes.InlineClosureLikes,
            untyped_passes.RewriteSemanticConstants,
            untyped_passes.DeadBranchPrune,
            untyped_passes.RewriteDynamicRaises,
            untyped_passes.MakeFunctionToJitFunction,
            untyped_passes.InlineInlinables,
            untyped_passes.FindLiterallyCalls,
            untyped_passes.LiteralUnroll,
            untyped_passes.LiteralPropagationSubPipelinePass,
        }
    )
    """Passes for Python that no kernel contains: contexts, closures, exceptions, literal loops."""


@intrinsic  # type: ignore[untyped-decorator]
def _population(typing: Any, mask: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), generate


@intrinsic  # type: ignore[untyped-decorator]
def _trailing(typing: Any, mask: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], context.get_constant(types.boolean, True))

    return types.uint64(types.uint64), generate


def count(mask: Any) -> Any:
    """Returns the number of set bits, with one instruction."""
    return np.int64(_population(mask))


def lowest(mask: Any) -> Any:
    """Returns the index of the lowest set bit, with one instruction."""
    return np.int64(_trailing(mask))
