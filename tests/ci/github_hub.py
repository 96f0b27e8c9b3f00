"""What the GitHub-like server of the tests knows: pull requests, comments, labels; with `git`, a real repository's."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.ci.github_server import Request, Token

MOMENT = "2024-01-02T03:04:05Z"
LONGEST_BODY = 65_536


class Refusal(Exception):
    """What GitHub would say no to, in its words."""

    def __init__(self, status: int, message: str, headers: dict[str, str] | None = None, **more: Any) -> None:
        super().__init__(message)
        self.status, self.headers, self.more = status, headers or {}, more


@dataclass
class Comment:
    """A comment on a pull request."""

    id: int
    pull: int
    login: str
    kind: str
    body: str
    edits: int = 0


@dataclass
class Pull:
    """A pull request. `head_repo` is None where the fork was deleted."""

    number: int
    title: str
    body: str
    head_ref: str
    head_sha: str
    head_repo: str | None
    base_ref: str
    base_sha: str
    state: str = "open"
    labels: list[str] = field(default_factory=list)
    merge_commit_sha: str | None = None
    events: list[dict[str, Any]] = field(default_factory=list)


class Hub:
    """The pull requests and comments of one repository, as its tests make them and its requests change them."""

    def __init__(self, repository: str, git: Path | None) -> None:
        self.repository = repository
        self.git = git
        self.pulls: dict[int, Pull] = {}
        self.comments: dict[int, Comment] = {}

    @property
    def origin(self) -> str:
        """Where its pages are, for people."""
        return "http://127.0.0.1"

    def pull(self, head_sha: str, *, head_ref: str = "topic", fork: str = "", **fields: Any) -> Pull:
        """A new pull request, from a branch here or of a `fork` (`eve/wiki`)."""
        number = len(self.pulls) + 1
        given = {"title": "A change", "body": "", "base_ref": "main", "base_sha": "b" * 40, **fields}
        self.pulls[number] = Pull(
            number=number, head_ref=head_ref, head_sha=head_sha, head_repo=fork or self.repository, **given
        )
        return self.pulls[number]

    def comment(self, pull: Pull, body: str, login: str = "github-actions[bot]") -> Comment:
        """A new comment by somebody."""
        made = Comment(max(self.comments, default=100) + 1, pull.number, login, _kind(login), body)
        self.comments[made.id] = made
        return made

    def comments_on(self, pull: Pull) -> list[Comment]:
        """The comments of a pull request, the oldest first."""
        return [each for each in self.comments.values() if each.pull == pull.number]

    def merge(self, pull: Pull, how: str = "merge") -> str:
        """Press the button: `merge` or `squash`, in the bare repository; the commit that came of it."""
        base, head = self._tip(pull.base_ref), self._tip(pull.head_ref)
        tree = self._git("merge-tree", "--write-tree", base, head)
        parents = ["-p", base, *(["-p", head] if how == "merge" else [])]
        made = self._git("commit-tree", tree, *parents, "-m", f"{pull.title} (#{pull.number})")
        self._git("update-ref", f"refs/heads/{pull.base_ref}", made, base)
        pull.state, pull.merge_commit_sha = "closed", made
        return made

    def label(self, pull: Pull, name: str, login: str = "ada") -> None:
        """Somebody sets a label."""
        pull.labels.append(name)
        pull.events.append({"event": "labeled", "actor": {"login": login}, "label": {"name": name}})

    def about(self, token: Token, request: Request) -> Any:
        """The repository itself."""
        return {"full_name": self.repository, "default_branch": "main"}

    def pulls_of_commit(self, token: Token, request: Request, sha: str) -> Any:
        """As GitHub: what stands in a fork alone is no commit of this repository."""
        mine = [each for each in self.pulls.values() if each.head_repo == self.repository]
        return [self._shown(each) for each in mine if self._sha(each) == sha]

    def compare(self, token: Token, request: Request, base: str, head: str) -> Any:
        """The merge base of two commits: git's, or the base itself where there is no git."""
        found = self._git("merge-base", base, head) if self.git else base
        return {"merge_base_commit": {"sha": found}, "status": "ahead"}

    def list_pulls(self, token: Token, request: Request) -> Any:
        """Those that fit, the newest first."""
        asked = request.query
        fits = [each for each in self.pulls.values() if asked.get("state", "open") in ("all", each.state)]
        if "head" in asked:
            fits = [each for each in fits if f"{_owner(each.head_repo)}:{each.head_ref}" == asked["head"]]
        if "base" in asked:
            fits = [each for each in fits if each.base_ref == asked["base"]]
        return [self._shown(each) for each in reversed(fits)]

    def open_pull(self, token: Token, request: Request) -> Any:
        """A new one, if its branches are there and none is open for them."""
        body = request.body
        head = body["head"].removeprefix(f"{_owner(self.repository)}:")
        if not (self._there(head) and self._there(body["base"])):
            where = "base" if self._there(head) else "head"
            raise _invalid("PullRequest", where, "invalid")
        mine = (each for each in self.pulls.values() if each.head_repo == self.repository)
        same = (each for each in mine if (each.head_ref, each.base_ref) == (head, body["base"]))
        if any(each.state == "open" for each in same):
            told = f"A pull request already exists for {_owner(self.repository)}:{head}."
            raise Refusal(422, "Validation Failed", errors=[{"resource": "PullRequest", "message": told}])
        made = self.pull(
            self._tip(head), head_ref=head, base_ref=body["base"], title=body["title"], body=body.get("body", "")
        )
        return self._shown(made)

    def show_pull(self, token: Token, request: Request, number: str) -> Any:
        """One of them."""
        return self._shown(self._pull(number))

    def edit_pull(self, token: Token, request: Request, number: str) -> Any:
        """Another title, body or state."""
        found = self._pull(number)
        for name in ("title", "body", "state"):
            if name in request.body:
                setattr(found, name, request.body[name])
        return self._shown(found)

    def list_labels(self, token: Token, request: Request, number: str) -> Any:
        """The labels of one."""
        return [{"name": name} for name in self._pull(number).labels]

    def add_labels(self, token: Token, request: Request, number: str) -> Any:
        """More of them."""
        for name in request.body["labels"]:
            self.label(self._pull(number), name, token.login)
        return self.list_labels(token, request, number)

    def list_events(self, token: Token, request: Request, number: str) -> Any:
        """What happened to one, the oldest first."""
        return self._pull(number).events

    def list_comments(self, token: Token, request: Request, number: str) -> Any:
        """The oldest first."""
        return [self._told(each) for each in self.comments_on(self._pull(number))]

    def add_comment(self, token: Token, request: Request, number: str) -> Any:
        """By whoever the token is."""
        made = self.comment(self._pull(number), _body(request), token.login)
        return self._told(made)

    def show_comment(self, token: Token, request: Request, number: str) -> Any:
        """One of them."""
        return self._told(self._comment(number))

    def edit_comment(self, token: Token, request: Request, number: str) -> Any:
        """Its author's to do, and an installation's that may write."""
        found = self._comment(number)
        if found.login != token.login and not token.is_installation:
            raise Refusal(403, "Must have admin rights to Repository.")
        found.body, found.edits = _body(request), found.edits + 1
        return self._told(found)

    def delete_comment(self, token: Token, request: Request, number: str) -> Any:
        """Gone."""
        del self.comments[self._comment(number).id]

    def _pull(self, number: str) -> Pull:
        if int(number) not in self.pulls:
            raise Refusal(404, "Not Found")
        return self.pulls[int(number)]

    def _comment(self, number: str) -> Comment:
        if int(number) not in self.comments:
            raise Refusal(404, "Not Found")
        return self.comments[int(number)]

    def _shown(self, pull: Pull) -> dict[str, Any]:
        repo = None if pull.head_repo is None else {"full_name": pull.head_repo}
        return {
            "number": pull.number,
            "state": pull.state,
            "title": pull.title,
            "body": pull.body,
            "html_url": f"{self.origin}/{self.repository}/pull/{pull.number}",
            "head": {"ref": pull.head_ref, "sha": self._sha(pull), "repo": repo},
            "base": {"ref": pull.base_ref, "sha": pull.base_sha, "repo": {"full_name": self.repository}},
            "labels": [{"name": name} for name in pull.labels],
            "merged_at": MOMENT if pull.merge_commit_sha else None,
            "merge_commit_sha": pull.merge_commit_sha,
            "user": {"login": "ada", "type": "User"},
        }

    def _told(self, comment: Comment) -> dict[str, Any]:
        return {
            "id": comment.id,
            "body": comment.body,
            "user": {"login": comment.login, "type": comment.kind},
            "html_url": f"{self.origin}/{self.repository}/pull/{comment.pull}#issuecomment-{comment.id}",
            "created_at": MOMENT,
            "updated_at": MOMENT,
        }

    def _sha(self, pull: Pull) -> str:
        """Of an open one from a branch here, where that stands now."""
        follows = self.git is not None and pull.state == "open" and pull.head_repo == self.repository
        return self._tip(pull.head_ref) if follows and self._there(pull.head_ref) else pull.head_sha

    def _there(self, branch: str) -> bool:
        return self.git is None or bool(self._git("for-each-ref", f"refs/heads/{branch}"))

    def _tip(self, branch: str) -> str:
        return self._git("rev-parse", f"refs/heads/{branch}") if self.git else "c" * 40

    def _git(self, *words: str) -> str:
        assert self.git is not None, "this hub has no repository"
        done = subprocess.run(["git", "-C", os.fspath(self.git), *words], capture_output=True, text=True, check=True)
        return done.stdout.strip()


def _owner(repository: str | None) -> str:
    return (repository or "").partition("/")[0]


def _kind(login: str) -> str:
    return "Bot" if login.endswith("[bot]") else "User"


def _invalid(resource: str, name: str, code: str) -> Refusal:
    return Refusal(422, "Validation Failed", errors=[{"resource": resource, "field": name, "code": code}])


def _body(request: Request) -> str:
    body = request.body.get("body") if isinstance(request.body, dict) else None
    if not isinstance(body, str) or not body.strip():
        raise _invalid("IssueComment", "body", "missing_field")
    if len(body) > LONGEST_BODY:
        told = f"body is too long (maximum is {LONGEST_BODY} characters)"
        raise Refusal(422, "Validation Failed", errors=[{"resource": "IssueComment", "message": told}])
    return body
