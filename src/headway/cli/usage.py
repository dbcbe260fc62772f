"""Help and usage errors in the user's language, for the commands that Typer parses."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import wraps
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from headway import i18n
from headway.cli.options import WRONG
from headway.errors import similar
from headway.i18n import say

Lang = Annotated[
    i18n.Lang | None, typer.Option(help=say("cli.lang"), metavar="|".join(i18n.languages()))
]
_CONTEXT = {"help_option_names": ["--help", "-h"]}
_NO_COMMAND = "Missing command."  # Typer's own words: it has no class for this error
_WHOLE_NUMBER = {"int_parsing", "int_parsing_size", "int_from_float", "int_type"}
_RANGE = {"greater_than_equal", "less_than_equal"}


class Commands(typer.Typer):
    """A group of commands that speak the user's language and know `--lang` and `-h`."""

    def __init__(self, **settings: Any) -> None:
        settings = {"context_settings": _CONTEXT, "rich_markup_mode": None} | settings
        super().__init__(cls=Group, add_completion=False, **settings)
        if "help" in settings:  # others are joined to the commands of another group
            self.callback()(lambda: None)

    def command(self, name: str | None = None, **settings: Any) -> Callable[[Any], Any]:
        """Adds a command, as Typer does."""
        add = super().command(name, cls=Command, context_settings=_CONTEXT, **settings)
        return lambda work: add(_with_language(work))

    def callback(self, **settings: Any) -> Callable[[Any], Any]:
        """Sets the options of the group itself, as Typer does."""
        add = super().callback(**settings)
        return lambda work: add(_with_language(work))


def _with_language(work: Callable[..., Any]) -> Callable[..., Any]:
    """Returns a command that also takes `--lang`, which `headway.__main__` has read before.

    A parameter of `work` whose type is a dataclass stands for many: the fields of the dataclass.
    """
    own = inspect.signature(work, eval_str=True)
    kinds = {name: parameter.annotation for name, parameter in own.parameters.items()}
    grouped: dict[str, Any] = {name: kind for name, kind in kinds.items() if is_dataclass(kind)}

    @wraps(work)
    def run(lang: str | None = None, **arguments: Any) -> Any:
        for name, group in grouped.items():
            options = {field.name: arguments.pop(field.name) for field in fields(group)}
            arguments[name] = group(**options)
        return work(**arguments)

    parameters: list[inspect.Parameter] = []
    for name, parameter in own.parameters.items():
        several = inspect.signature(grouped[name], eval_str=True) if name in grouped else None
        parameters += several.parameters.values() if several else [parameter]
    lang = inspect.Parameter("lang", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Lang)
    signature = inspect.Signature([*parameters, lang])
    run.__signature__ = signature  # type: ignore[attr-defined]
    return run


class _Translated:
    """Help in the user's language."""

    def get_help_option(self, ctx: Any) -> Any:
        option = super().get_help_option(ctx)  # type: ignore[misc]
        if option:
            option.help = say("cli.help")
        return option

    def format_usage(self: Any, ctx: Any, formatter: Any) -> None:
        words = [say("usage.options")]
        for param in filter(_is_argument, self.params):
            words.append(param.metavar if param.required else f"[{param.metavar}]")
        if isinstance(self, TyperGroup):
            command = say("usage.command")
            words.append(f"[{command}]" if self.invoke_without_command else command)
        formatter.write_usage(ctx.command_path, " ".join(words), prefix=f"{say('usage.usage')} ")

    def format_options(self: Any, ctx: Any, formatter: Any) -> None:
        params = self.get_params(ctx)
        arguments = [param for param in params if _is_argument(param)]
        options = [param for param in params if not _is_argument(param)]
        for heading, chosen in (("usage.argument_list", arguments), ("usage.option_list", options)):
            if chosen:
                with formatter.section(say(heading)):
                    formatter.write_dl([_row(param) for param in chosen])


class Command(_Translated, TyperCommand):
    """A command that writes its help and refuses surplus words in the user's language."""

    allow_extra_args = True  # `parse_args` refuses them

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        rest = super().parse_args(ctx, args)
        if rest and not ctx.resilient_parsing:
            ctx.fail(say("usage.surplus", words=" ".join(rest)))
        return rest


class Group(_Translated, TyperGroup):
    """The same for a group of commands, which also lists them."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if not args and self.no_args_is_help and not ctx.resilient_parsing:
            typer.echo(ctx.get_help(), err=True)
            raise typer.Exit(WRONG)
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name = args[0]
        unknown = self.get_command(ctx, name) is None and not name.startswith("-")
        if unknown and not ctx.resilient_parsing:
            ctx.fail(_with_similar(say("usage.no_command", name=name), name, list(self.commands)))
        return super().resolve_command(ctx, args)

    def format_options(self: Any, ctx: Any, formatter: Any) -> None:
        super().format_options(ctx, formatter)
        commands = self.commands.items()
        room = formatter.width - 6 - max(map(len, self.commands))
        with formatter.section(say("usage.commands")):
            formatter.write_dl([(name, each.get_short_help_str(room)) for name, each in commands])

    def format_epilog(self: Any, ctx: Any, formatter: Any) -> None:
        """Writes the examples of the group, else those of its first command that has some."""
        examples = [self.epilog, *(each.epilog for each in self.commands.values())]
        self.epilog = next(filter(None, examples), None)
        super().format_epilog(ctx, formatter)


def explain(error: typer.TyperException) -> str:
    """Returns what is wrong with the arguments of a command, below its usage if that is known."""
    context: Any = getattr(error, "ctx", None)
    lines = [say("usage.error", sentence=_sentence(error))]
    if context:
        lines = [context.get_usage(), say("usage.try", command=context.command_path), "", *lines]
    return "\n".join(lines)


def _sentence(error: Any) -> str:
    """Returns the sentence of a usage error; Typer's own words where it has no class for it."""
    if isinstance(error, typer.BadParameter) and error.param:
        name = _name(error.param)
        if not error.message:
            return say("usage.missing", name=name.rstrip("…"))
        return say("usage.invalid", name=name, reason=_reason(error, error.param))
    name = getattr(error, "option_name", "")
    if hasattr(error, "possibilities"):
        return _with_similar(say("usage.no_option", name=name), name, _options(error.ctx))
    if name:
        flag = error.message.endswith("does not take a value.")
        return say("usage.no_value" if flag else "usage.needs_value", name=name)
    return say("usage.missing_command") if error.message == _NO_COMMAND else str(error.message)


def _reason(error: typer.BadParameter, param: Any) -> str:
    """Returns why a value is refused, by the first problem that Pydantic found."""
    problems: Any = getattr(error.__cause__, "errors", list)()
    kind, value = (problems[0]["type"], problems[0]["input"]) if problems else ("", "")
    if kind in _WHOLE_NUMBER:
        return say("usage.whole_number", value=value)
    if kind in _RANGE:
        return say("usage.out_of_range", value=value, range=_range(param))
    if kind == "value_error" and "|" in (param.metavar or ""):
        return say("usage.one_of", value=value, known=param.metavar.replace("|", ", "))
    return error.message


def _with_similar(sentence: str, name: str, known: list[str]) -> str:
    found = similar(name, known)
    return f"{sentence} {say('format.similar', names=', '.join(found))}" if found else sentence


def _options(context: Any) -> list[str]:
    return [name for param in context.command.get_params(context) for name in param.opts]


def _is_argument(param: Any) -> bool:
    return bool(param.param_type_name == "argument")


def _name(param: Any) -> str:
    """Returns how people type a parameter: `FILE`, `-o, --output`."""
    return str(param.metavar) if _is_argument(param) else ", ".join(sorted(param.opts, key=len))


def _row(param: Any) -> tuple[str, str]:
    """Returns the row of an argument or option: how it is typed, and what it does."""
    name = _name(param)
    if not _is_argument(param) and not param.is_flag:
        name = f"{name} {param.metavar}"
    notes = []
    if param.envvar:
        notes.append(say("usage.variable", name=param.envvar))
    if param.show_default and param.default not in (None, "") and param.default is not False:
        notes.append(say("usage.default", value=param.default))
    if param.min or param.max is not None:
        notes.append(_range(param))
    if param.required:
        notes.append(say("usage.required"))
    return name, f"{param.help}  [{', '.join(notes)}]" if notes else str(param.help)


def _range(param: Any) -> str:
    if param.max is None:
        return say("usage.at_least", least=param.min)
    return say("usage.between", least=param.min, most=param.max)
