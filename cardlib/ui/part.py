"""What all widgets of a page share: one state that goes down, small messages that come up, a text twin for print.

The page widget carries the one ES module; every other widget is a stub that waits for it.  The truth stays in Python:
the browser never writes `state`, and each message is untrusted input.
"""

from __future__ import annotations

import sys
import traceback
from typing import Any, ClassVar

import anywidget
import traitlets

from cardlib.errors import BadInput
from cardlib.teach.voice import Voice

LANGS = ("en", "ja")

STUB = """
export default {
  async render({ model, el }) {
    const cardlib = (globalThis.cardlib ??= {});
    cardlib.ready ??= new Promise((resolve) => (cardlib.resolve = resolve));
    return (await cardlib.ready)(model, el);
  },
};
"""


class Part(anywidget.AnyWidget):
    """A widget with one synced `state`.  Subclasses say what it holds (`draw`), answer messages (`do_NAME`) and write
    themselves as text (`text`)."""

    _esm: ClassVar[Any] = STUB
    state = traitlets.Dict().tag(sync=True)
    kind: ClassVar[str]

    def __init__(self) -> None:
        super().__init__()
        self.version = 0
        self.on_msg(self._receive)

    def draw(self) -> dict[str, Any]:
        """The state for the browser, in the reader's language."""
        raise NotImplementedError

    def text(self, lang: str) -> str:
        """The same as text, for print and for readers without a kernel."""
        raise NotImplementedError

    @property
    def lang(self) -> str:
        """The reader's language."""
        raise NotImplementedError

    def refresh(self) -> None:
        """Send the state as it now is."""
        self.version += 1
        self.state = {"kind": self.kind, "v": self.version, "lang": self.lang, "error": ""} | self.draw()

    def progress(self) -> None:
        """A step of the page has been solved."""

    def bad(self, error: ValueError) -> None:
        """Show what is wrong with an input; the state stays as it was."""
        raise NotImplementedError

    def _receive(self, _widget: object, message: object, _buffers: object) -> None:
        """Answer a message: unknown ones and broken ones with a sentence, a defect of ours with an error line."""
        try:
            name = message.get("do") if isinstance(message, dict) else None
            answer = getattr(self, f"do_{name}", None) if isinstance(name, str) and name.isidentifier() else None
            if answer is None:
                raise BadInput("message", f"no such message: {message!r}"[:200], message=str(name)[:40])
            answer(message)
        except ValueError as error:
            self.bad(error)
        except Exception as error:
            traceback.print_exc(file=sys.stderr)
            self.version += 1
            self.state = self.state | {"v": self.version, "error": f"{type(error).__name__}: {error}"}

    def __repr__(self) -> str:
        return "\n\n".join(self.text(lang) for lang in LANGS)

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        bundle: Any = super()._repr_mimebundle_(**kwargs)
        (bundle[0] if isinstance(bundle, tuple) else bundle)["text/plain"] = repr(self)
        return bundle


def word(message: dict[str, Any], key: str, longest: int = 200) -> str:
    """A text of a message; `BadInput` if it is none."""
    value = message.get(key)
    if not isinstance(value, str) or len(value) > longest:
        raise BadInput("message", f"{key} of the message is no text: {value!r}"[:200], message=key)
    return value


def button(
    voice: Voice, do: str, label: str, *, primary: bool = False, disabled: bool = False, **facts: Any
) -> dict[str, Any]:
    return {"do": do, "label": voice.say(label, **facts), "primary": primary, "disabled": disabled}
