"""Rules for media: URLs, and the names of files that come with a template (SPEC 2.2, C-56)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from ..errors import FormProblem, camel
from ..findings import Findings
from ..public_url import url_file_name, url_problem
from .content import Card, UploadedFile

MAX_FILE_NAME = 255
_VIDEOS = (
    *(".3g2", ".3gp", ".3gpp", ".avi", ".flv", ".m4v", ".mkv", ".mov", ".mp4"),
    *(".mpeg", ".mpg", ".ogv", ".webm", ".wmv"),
)


class Uploads:
    """The files that come with a template, and the names that its parts have used so far."""

    def __init__(self, files: Sequence[UploadedFile]) -> None:
        self._files = {file.name: file for file in files}
        self._twice = [name for name, count in Counter(f.name for f in files).items() if count > 1]
        self._named: set[str] = set()

    def take(self, name: str) -> bool:
        """Mark a file as used; return whether it came with the template."""
        self._named.add(name)
        return name in self._files

    def is_video(self, name: str) -> bool:
        """Return whether a file is a video, by its content type or by its name's ending."""
        file = self._files.get(name)
        content_type = (file and file.content_type) or ""
        return content_type.lower().startswith("video/") or looks_like_a_video(name)

    def problems(self) -> Iterable[FormProblem]:
        """Yield the problems of the files: duplicate names, and names that no part uses."""
        for name in self._twice:
            yield FormProblem("multimedia_files", f"must not have two files named {_quoted(name)}")
        for name in self._files:
            if name not in self._named:
                yield FormProblem(
                    "multimedia_files",
                    f"has {_quoted(name)}, which no file name of the template equals exactly",
                )


def looks_like_a_video(name: str) -> bool:
    """Return whether a file is a video by its name's ending."""
    return name.lower().endswith(_VIDEOS)


def check_card_media(findings: Findings, path: str, card: Card, uploads: Uploads) -> None:
    """Note the problems of a card's medium and thumbnail."""
    check_medium(
        findings,
        uploads,
        f"{path}.media_url",
        card.media_url,
        {
            f"{path}.file_name": card.file_name,
            f"{path}.document_file_name": card.document_file_name,
        },
    )
    thumbnail_url, thumbnail_name = f"{path}.thumbnail_url", f"{path}.thumbnail_file_name"
    check_medium(
        findings,
        uploads,
        thumbnail_url,
        card.thumbnail_url,
        {thumbnail_name: card.thumbnail_file_name},
        required=False,
    )
    if card.thumbnail_url or card.thumbnail_file_name or not findings.read(thumbnail_url):
        return
    names = (card.file_name, card.document_file_name)
    if looks_like_a_video(url_file_name(card.media_url or "")) or any(
        uploads.is_video(name) for name in names if name
    ):
        findings.note(
            thumbnail_name, f"is required for a video, unless {camel('thumbnail_url')} is given"
        )


def check_medium(
    findings: Findings,
    uploads: Uploads,
    url_path: str,
    url: str | None,
    names: Mapping[str, str | None],
    *,
    required: bool = True,
) -> None:
    """
    Note the problems of one medium: of its URL, or of the files that replace it.

    `names` are the names of the files, by their paths. A missing file is allowed beside a URL. A file
    that came must be named exactly.
    """
    # An unreadable value may be a URL.
    without_url = not url and findings.read(url_path)
    for path, name in names.items():
        if not name:
            continue
        if problem := _file_name_problem(name):
            findings.note(path, problem)
        elif not uploads.take(name) and without_url:
            findings.note(path, "must be the exact name of an uploaded file, or come with a URL")
    if url:
        if problem := url_problem(url):
            findings.note(url_path, problem)
    elif required and not any(names.values()) and all(map(findings.read, names)):
        findings.note(url_path, "is required, unless the name of an uploaded file is given")


def _file_name_problem(name: str) -> str | None:
    plain = name.isprintable() and not {*name} & {*"/\\"} and name not in (".", "..")
    if not plain or len(name) > MAX_FILE_NAME:
        return f"must be a plain file name of at most {MAX_FILE_NAME} characters, without a folder"
    return None


def _quoted(name: str) -> str:
    return ascii(name[:100])
