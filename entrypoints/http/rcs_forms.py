"""The form that creates an RCS template, received as it comes (SPEC 2.1, D-71)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from aiohttp import web
from attrs import define, field

from ...application.caller import Caller
from ...application.media.receiving_media import ReceivedFile, ReceivingMedia, Upload
from ...application.message_templates.creating_rcs_templates import TemplateFiles
from ...domain.errors import (
    MOST_PROBLEMS,
    DomainError,
    FieldProblem,
    FormProblem,
    ValidationFailedError,
)
from ...domain.media import EmptyFileError
from ...domain.rcs_template import UploadedFile
from ..message_templates.rcs_reading import FILES, TEXTS, NewRcsTemplate, read_form
from ..wire.known_members import MOST_OF_A_NAME, unknown_members
from .listener.multipart import Part, form_boundary, form_parts
from .preferences import handled_strictly
from .unknown_parameters import unknown_parameters

# Ten cards, each with a medium, a document and a thumbnail.
MAX_FILES = 30


class FormTextsTooLargeError(DomainError):
    """The texts of a form have more bytes than a JSON body may have (C-9)."""

    code = "payload_too_large"

    def __init__(self) -> None:
        super().__init__(
            "What is no file in the form has more than 1 MiB. Send less, and each file as"
            f" {FILES} with its name."
        )


@define
class ReceivedForm:
    """A form as far as it has come; its fields may come in any order."""

    texts: dict[str, str] = field(factory=dict, repr=False)
    files: list[tuple[str, ReceivedFile]] = field(factory=list, repr=False)
    problems: list[FieldProblem] = field(factory=list)
    upload: Upload | None = None
    strictly: bool = False

    def template(self) -> NewRcsTemplate:
        """Return its template; raises `ValidationFailedError` naming all that is wrong with the form."""
        uploaded = [
            UploadedFile(name=name, content_type=each.content_type) for name, each in self.files
        ]
        return read_form(self.texts, uploaded, self.problems, strictly=self.strictly)

    def template_files(self) -> TemplateFiles | None:
        """Return the files of a valid template, in which no two files have one name."""
        return None if self.upload is None else TemplateFiles(self.upload, dict(self.files))


@asynccontextmanager
async def receiving_form(
    request: web.Request, receiving: ReceivingMedia, by: Caller
) -> AsyncIterator[ReceivedForm]:
    """
    Receive a form for a block, at whose end the files are gone that no template kept.

    Raises `NotAFormError`, `FormTextsTooLargeError`, and what `form_parts` and `Upload` raise.
    """
    boundary = form_boundary(request)
    form = ReceivedForm(strictly=handled_strictly(request))
    if form.strictly:
        form.problems += unknown_parameters(request)
    async with AsyncExitStack() as ending:
        try:
            async for part in form_parts(request, boundary):
                if part.name in TEXTS:
                    await _receive_text(form, part)
                elif await _is_file(form, part):
                    if form.upload is None:
                        form.upload = await ending.enter_async_context(receiving.upload(by))
                    await _receive_file(form, form.upload, part)
        except web.HTTPRequestEntityTooLarge:
            raise FormTextsTooLargeError from None
        yield form


async def _receive_text(form: ReceivedForm, part: Part) -> None:
    if part.name in form.texts:
        form.problems.append(FormProblem(part.name, "must come once"))
    else:
        form.texts[part.name] = await part.text()


async def _is_file(form: ReceivedForm, part: Part) -> bool:
    """Return whether a part is one of the template's files; other texts are not read."""
    if part.name != FILES and part.filename:
        # Not read on, since it may be as large as any file, and named at once.
        name = part.name[:MOST_OF_A_NAME]
        raise ValidationFailedError([FormProblem(name, f"must not be a file. Send it as {FILES}")])
    if part.name == FILES and not part.filename:
        # A browser's form sends an empty part where no file was chosen.
        begun = await anext(part.chunks(), b"")
        if part.filename is None or begun:
            form.problems.append(FormProblem(FILES, "must be a file, with its name"))
        return False
    if part.name != FILES and form.strictly and len(form.problems) < MOST_PROBLEMS:
        form.problems += unknown_members([part.name], (*TEXTS, FILES))
    return part.name == FILES


async def _receive_file(form: ReceivedForm, upload: Upload, part: Part) -> None:
    if len(form.files) == MAX_FILES:
        raise ValidationFailedError([FormProblem(FILES, f"must be at most {MAX_FILES} files")])
    try:
        received = await upload.receive(
            part.chunks(), name=part.filename, content_type=part.content_type
        )
    except EmptyFileError:
        problem = FormProblem(FILES, f"must not have an empty file: {part.filename!r}")
        raise ValidationFailedError([problem]) from None
    form.files.append((part.filename or "", received))
