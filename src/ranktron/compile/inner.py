"""How numba compiles loops and the functions that they call: to LLVM code that is linked together, and no further.

numba makes each function that it meets executable: it optimises it in full, compiles it to machine code, and wraps it for callers
in Python and in C. Of some sixty functions only the loop is ever called from outside, and most are inlined into it, so that work
is wasted.
"""

from __future__ import annotations

from typing import Any

from numba import _dynfunc  # type: ignore[attr-defined]
from numba.core import typed_passes, untyped_passes
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import PassManager, register_pass
from numba.extending import register_jitable

from .generic import NO_COUNTING, Function

# What inner functions do not contain: closures and comprehensions, branches on constants, expressions of whole arrays, and
# functions that numba inlines itself. Looking for them takes a tenth of the time of compiling.
NOT_NEEDED = (
    *(untyped_passes.InlineClosureLikes, untyped_passes.DeadBranchPrune),
    *(typed_passes.InlineOverloads, typed_passes.NopythonRewrites),
)


class InnerCode(JITCodeLibrary):
    """The LLVM code of one function and of those that it calls.

    It is simplified before it is inlined: a loop into which all code comes as it is written becomes up to a half slower.
    """

    # Whether it is optimised in full already then, which makes some loops quicker by a few per cent.
    is_thorough = False

    def _optimize_final_module(self) -> None:
        if self.is_thorough:
            return super()._optimize_final_module()
        passes, builder = self._codegen._module_pass_manager(opt=self._codegen._opt_level, cost="cheap")
        passes.run(self._final_module, builder)

    def _finalize_final_module(self) -> None:
        # numba's own would compile the code to machine code here.
        self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)
class LowerInner(typed_passes.NativeLowering):
    """Lower a function to ``InnerCode``, under which its callers find it."""

    _name = "lower_inner"

    def run_pass(self, state: Any) -> bool:
        """Lower the function whose types are known."""
        state.flags.no_compile = True
        state.library = code = InnerCode(state.targetctx.codegen(), state.func_id.func_qualname)
        super().run_pass(state)
        lowered = state["cr"]
        # numba finds the code of a function by its executable. This one stands for it, and is never run.
        place = _dynfunc.make_function(lowered.fndesc.lookup_module(), lowered.fndesc.qualname, "", 0, lowered.env, (code,))
        state.targetctx.insert_user_function(place, lowered.fndesc, [code])
        state["cr"] = lowered._replace(cfunc=place)
        return True


class InnerCompiler(CompilerBase):
    """numba's compiler for functions that only compiled code calls."""

    def define_pipelines(self) -> list[PassManager]:
        """numba's passes, but for those that are not needed, and with another last one."""
        manager = PassManager("inner")
        for one, about in DefaultPassBuilder.define_nopython_pipeline(self.state).passes:
            if one not in NOT_NEEDED:
                manager.add_pass(LowerInner if one is typed_passes.NativeLowering else one, about)
        manager.finalize()
        return [manager]


INNER: dict[str, Any] = {"pipeline_class": InnerCompiler, "no_cpython_wrapper": True, "no_cfunc_wrapper": True, **NO_COUNTING}


def inner(function: Function) -> Function:
    """Let compiled code call a function, which the compiler inlines if it finds that worth it."""
    made: Function = register_jitable(**INNER)(function)
    return made
