"""The maps of this device, for programs in Python: libtinyupdater (tinyupdater(3)) as classes.

    with tinyupdater.Loader() as loader:
        for node in loader.tree():
            print(node["id"], node["state"])
        for event in loader.install(["europe/malta"]):
            if event["event"] == "progress":
                print(event["done"], "of", event["total"])
        with loader.hold() as maps:
            data = maps.open(maps.find("europe/malta", "base")).read()

Events are the objects of docs/events.md. A loader belongs to one thread at a time; it starts none, and `fileno` is for
select, selectors and asyncio. The library is looked for at TINYUPDATER_LIBRARY, else where the system has its libraries.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import enum
import io
import json
import os
import select
import time
from collections import deque
from types import TracebackType
from typing import Any, BinaryIO, Deque, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Type

__all__ = ["Event", "Loader", "Map", "Maps", "Request", "Result", "State", "TinyUpdaterError"]

Event = Dict[str, Any]


class Result(enum.IntEnum):
    """How a request ended: the exit codes of tinyupdater, and PERMISSION_DENIED."""

    SUCCESS = 0
    UPDATE_AVAILABLE = 10
    APPLICATION_TOO_OLD = 11
    INCOMPLETE = 12
    WITHHELD = 13
    CONNECTION_FAILED = 20
    REJECTED = 21
    OUT_OF_SPACE = 22
    OVER_BUDGET = 23
    STORAGE_FAILED = 24
    BUSY = 25
    OPERATION_CANCELLED = 26
    INVALID_PARAMETERS = 64
    PERMISSION_DENIED = 77
    INITIALIZATION_FAILED = 78


class State(enum.IntEnum):
    """Whether maps that are held are still the ones to read."""

    CURRENT = 0
    #: Others are current: hold those, then let go of these.
    REPLACED = 1
    #: An update in place waits 15 seconds for these: close everything, let go, and hold again after the next change.
    WANTED = 2


class TinyUpdaterError(Exception):
    """A request that failed: `result`, and a sentence; `event` has all that is known, such as `needed` and `available`."""

    def __init__(self, result: Result, message: str, event: Optional[Event] = None) -> None:
        super().__init__(message or result.name)
        self.result = result
        self.event: Event = event or {}


class Map(NamedTuple):
    """A map of a release that is held."""

    id: str
    group: str
    #: Below the generation, such as "maps/europe/malta/base.mbtiles".
    path: str
    #: The number of the release that last changed it.
    release: int
    size: int
    #: SHA-256 in 64 digits: the same map has the same one in every release.
    digest: str
    #: It is many small files, and `path` is their directory.
    is_directory: bool
    #: A .dat file, whose data begins after its description.
    is_described: bool


class Request:
    """What was asked: iterating gives its events as they come, and ends with its result, or with what failed."""

    def __init__(self, loader: Loader, number: int) -> None:
        self._loader = loader
        #: The number of the request.
        self.number = number
        #: The last event, once it has come.
        self.result: Optional[Event] = None
        self._error: Optional[TinyUpdaterError] = None

    @property
    def is_done(self) -> bool:
        """The result has come."""
        return self.result is not None

    def __iter__(self) -> Iterator[Event]:
        while True:
            event = self.next()
            if event is not None:
                yield event
            elif self.result is not None:
                return

    def next(self, timeout: Optional[float] = None) -> Optional[Event]:
        """The next event; None if none comes within `timeout` seconds, or the result has come."""
        self._raise()
        if self.result is not None:
            return None
        event = self._loader._wait(self.number, timeout)
        return event if event is not None and self._take(event) else None

    def wait(self, timeout: Optional[float] = None) -> Event:
        """The result, when it has come; raises TimeoutError if it does not within `timeout` seconds."""
        end = None if timeout is None else time.monotonic() + timeout
        while self.result is None:
            event = self._loader._wait(self.number, None if end is None else max(0.0, end - time.monotonic()))
            if event is None:
                raise TimeoutError("the request has not ended")
            self._take(event)
        self._raise()
        return self.result

    def leave(self) -> None:
        """No further events: a question ends, an operation continues."""
        self._loader._leave(self.number)

    def __del__(self) -> None:
        # Nobody takes its events any more.
        if self.result is None:
            self.leave()

    def _raise(self) -> None:
        if self._error is not None:
            raise self._error

    def _take(self, event: Event) -> bool:
        """Whether the event is one before the result, which is noted; raises what failed."""
        if event["event"] != "result":
            return True
        self.result = event
        self._loader._events.pop(self.number, None)
        code = Result(event["exit"]) if event["exit"] in Result._value2member_map_ else Result.STORAGE_FAILED
        if code not in (Result.SUCCESS, Result.UPDATE_AVAILABLE):
            self._error = TinyUpdaterError(code, event.get("message", ""), event)
        self._raise()
        return False


class Loader:
    """The maps of this device. Making one opens no connection; `timeout` is in seconds, and None waits for ever."""

    def __init__(
        self,
        root: Optional[str] = None,
        socket: Optional[str] = None,
        program: Optional[str] = None,
        config: Optional[str] = None,
        language: Optional[str] = None,
    ) -> None:
        """What is None has the value that tinyupdater.h names; "" for `socket` or `program` means: none."""
        self._library = _library()
        self._pointer: Optional[int] = None
        self._events: Dict[int, Deque[Event]] = {}
        self._has_news = False
        texts = [None if text is None else os.fsencode(text) for text in (root, socket, program, config, language)]
        options = _Options(ctypes.sizeof(_Options), *texts)
        pointer = ctypes.c_void_p()
        result = self._library.tu_open(ctypes.byref(options), ctypes.byref(pointer))
        if result != 0 or pointer.value is None:
            raise TinyUpdaterError(Result(result), "the library could not be used")
        self._pointer = pointer.value

    def close(self) -> None:
        """Frees it; operations continue."""
        if self._pointer is not None:
            self._library.tu_close(self._pointer)
            self._pointer = None

    def __enter__(self) -> Loader:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_pointer", None) is not None:
            self.close()

    def fileno(self) -> int:
        """Readable when there may be events: for select, selectors and asyncio."""
        return int(self._library.tu_fd(self._open))

    @property
    def has_events(self) -> bool:
        """Events wait that no request has taken: look here before waiting for `fileno`, if there are several requests."""
        self._drain()
        return any(self._events.values())

    # Questions

    def tree(self, composite: bool = False, timeout: Optional[float] = None) -> List[Event]:
        """Regions and packages, parents before their children."""
        return self._answer(self.ask("tree", composite), timeout)

    def at(self, latitude: float, longitude: float, timeout: Optional[float] = None) -> Optional[Event]:
        """The smallest package at a place, in degrees; None if there is none."""
        nodes = self._answer(self.ask("at", latitude, longitude), timeout)
        return nodes[-1] if nodes else None

    def near(self, latitude: float, longitude: float, metres: int, timeout: Optional[float] = None) -> List[Event]:
        """All packages within that many metres of a place."""
        return self._answer(self.ask("near", latitude, longitude, metres), timeout)

    def polygons(self, ids: Sequence[str], timeout: Optional[float] = None) -> Dict[str, List[List[Tuple[float, float]]]]:
        """The polygons of packages, and of all packages in regions, by their ids: rings of latitudes and longitudes. One without
        a polygon is left out; what an odd number of rings surround is inside."""
        polygons: Dict[str, List[List[Tuple[float, float]]]] = {}
        for event in self._answer(self.ask("polygons", ids), timeout):
            rings = polygons.setdefault(event["id"], [])
            if event["ring"] >= len(rings):
                rings.append([])
            rings[-1].extend(zip(event["corners"][::2], event["corners"][1::2]))
        return polygons

    def status(self, timeout: Optional[float] = None) -> Event:
        """What is installed, and what goes on."""
        return self._answer(self.ask("status"), timeout)[-1]

    def check(self, timeout: Optional[float] = None) -> Event:
        """Asks the repository for a newer release."""
        return [event for event in self._answer(self.ask("check"), timeout) if event["event"] == "check"][-1]

    def plan(self, timeout: Optional[float] = None) -> Optional[Event]:
        """What an update would download; None if there is nothing to do."""
        plans = [event for event in self._answer(self.ask("plan"), timeout) if event["event"] == "plan"]
        return plans[-1] if plans else None

    def groups(self, timeout: Optional[float] = None) -> List[Event]:
        """The data groups, and which are selected."""
        return self._answer(self.ask("groups"), timeout)

    def ask(self, question: str, *arguments: Any) -> Request:
        """A question as a request, for programs with a main loop: "tree", "at", "near", "polygons", "status", "check",
        "plan", "groups", "select_groups" or "deselect_groups", with what these take."""
        if question == "tree":
            return self._request("tu_tree", 1 if arguments and arguments[0] else 0)
        if question == "at":
            place = _Place(*arguments)
            return self._request("tu_at", ctypes.byref(place))
        if question == "near":
            latitude, longitude, metres = arguments
            return self._request("tu_near", ctypes.byref(_Place(latitude, longitude)), metres)
        if question in ("polygons", "select_groups", "deselect_groups"):
            return self._names(f"tu_{question}", *arguments)
        if question in ("status", "check", "plan", "groups"):
            return self._request(f"tu_{question}")
        raise ValueError(f"there is no question {question}")

    # Changes

    def select_groups(self, names: Sequence[str], timeout: Optional[float] = None) -> None:
        """Selects data groups for the next update."""
        self._names("tu_select_groups", names).wait(timeout)

    def deselect_groups(self, names: Sequence[str], timeout: Optional[float] = None) -> None:
        """No longer selects data groups."""
        self._names("tu_deselect_groups", names).wait(timeout)

    def install(self, ids: Sequence[str]) -> Request:
        """Begins to install packages and regions."""
        return self._names("tu_install", ids)

    def uninstall(self, ids: Sequence[str]) -> Request:
        """Begins to remove packages and regions."""
        return self._names("tu_uninstall", ids)

    def update(self) -> Request:
        """Begins to update all maps."""
        return self._request("tu_update")

    def stage(self) -> Request:
        """Begins an update that does everything but the switch, which `activate` does."""
        return self._request("tu_stage")

    def activate(self) -> Request:
        """Makes the release current that is staged, without a network."""
        return self._request("tu_activate")

    def position(self, latitude: float, longitude: float) -> Request:
        """Notes where the device is: updates then bring the maps around it. Cheap enough for once a minute."""
        return self._request("tu_position", ctypes.byref(_Place(latitude, longitude)))

    def cancel(self, ids: Sequence[str] = (), operation: Optional[int] = None) -> Request:
        """Cancels operations: the one with a number, those on these ids, or all."""
        if operation is not None:
            return self._request("tu_cancel_operation", operation)
        return self._names("tu_cancel", ids)

    def repair(self) -> Request:
        """Begins to replace damaged maps; for the user of the service, and root."""
        return self._request("tu_repair")

    def rollback(self) -> Request:
        """Goes back to the previous release; for the user of the service, and root."""
        return self._request("tu_rollback")

    def confirm(self) -> Request:
        """Ends the trial of a release; for the user of the service, and root."""
        return self._request("tu_confirm")

    def watch(self) -> Request:
        """The whole state, from "state" to "ready", then every event; has no end."""
        return self._request("tu_watch")

    # Maps

    def hold(self) -> Maps:
        """Holds the current maps; raises TinyUpdaterError with BUSY while they are replaced in place."""
        pointer = ctypes.c_void_p()
        if self._library.tu_maps_hold(self._open, ctypes.byref(pointer)) != 0 or pointer.value is None:
            raise self._failure()
        return Maps(self, pointer.value)

    def wait_for_maps(self, timeout: Optional[float] = None) -> bool:
        """Waits until other maps may be current, or those that are held are wanted; False after `timeout` seconds."""
        self._wait(0, timeout)
        found, self._has_news = self._has_news, False
        return found

    # Reading events

    @property
    def _open(self) -> int:
        if self._pointer is None:
            raise ValueError("the loader is closed")
        return self._pointer

    def _request(self, function: str, *arguments: Any) -> Request:
        number = getattr(self._library, function)(self._open, *arguments)
        if number == 0:
            raise self._failure()
        self._events[number] = deque()
        return Request(self, number)

    def _names(self, function: str, names: Sequence[str]) -> Request:
        if isinstance(names, str):
            raise TypeError("a sequence of ids is expected, not one text")
        texts = (ctypes.c_char_p * len(names))(*[name.encode() for name in names])
        return self._request(function, texts, len(names))

    def _answer(self, request: Request, timeout: Optional[float]) -> List[Event]:
        """The events before the result."""
        events: List[Event] = []
        end = None if timeout is None else time.monotonic() + timeout
        while not request.is_done:
            event = request.next(None if end is None else max(0.0, end - time.monotonic()))
            if event is not None:
                events.append(event)
            elif not request.is_done:
                request.leave()
                raise TimeoutError("there was no answer")
        return events

    def _wait(self, number: int, timeout: Optional[float]) -> Optional[Event]:
        """The next event of a request; None after `timeout` seconds, and for 0 when the maps may have changed."""
        end = None if timeout is None else time.monotonic() + timeout
        while True:
            self._drain()
            if self._events.get(number):
                return self._events[number].popleft()
            if number == 0 and self._has_news:
                return None
            left = None if end is None else end - time.monotonic()
            if left is not None and left <= 0:
                return None
            poll = select.poll()
            poll.register(self.fileno(), select.POLLIN)
            poll.poll(None if left is None else int(left * 1000) + 1)

    def _drain(self) -> None:
        while True:
            kind = self._library.tu_next(self._open)
            if kind == 0:
                return
            if kind == _MAPS:
                self._has_news = True
                continue
            queue = self._events.get(self._library.tu_event_request(self._open))
            if queue is not None:
                queue.append(json.loads(self._library.tu_event_json(self._open)))

    def _leave(self, number: int) -> None:
        if self._events.pop(number, None) is not None and self._pointer is not None:
            self._library.tu_leave(self._pointer, number)

    def _failure(self) -> TinyUpdaterError:
        message = self._library.tu_message(self._open) or b""
        return TinyUpdaterError(Result(self._library.tu_failure(self._open)), message.decode(errors="replace"))


class Maps(Sequence[Map]):
    """The maps of one release, complete, which stay as they are until `release` or the end of `with`."""

    def __init__(self, loader: Loader, pointer: int) -> None:
        self._library = loader._library
        # Keeps the loader from being freed before.
        self._loader: Optional[Loader] = loader
        self._pointer: Optional[int] = pointer
        count = self._library.tu_maps_count(pointer)
        self._raw = [self._library.tu_maps_get(pointer, index) for index in range(count)]
        self._maps = [_map(raw.contents) for raw in self._raw]
        #: The number of the release; 0 if nothing is installed.
        self.number = int(self._library.tu_maps_release_number(pointer))
        #: What its publisher calls it.
        self.label: str = self._library.tu_maps_release_label(pointer).decode(errors="replace")
        #: The directory in which the paths of maps are.
        self.directory: str = os.fsdecode(self._library.tu_maps_directory(pointer))

    def release(self) -> None:
        """Lets go of them. Close what was opened as well."""
        if self._pointer is not None:
            self._library.tu_maps_release(self._pointer)
            self._pointer = self._loader = None

    def __enter__(self) -> Maps:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.release()

    def __del__(self) -> None:
        if getattr(self, "_pointer", None) is not None:
            self.release()

    def __len__(self) -> int:
        return len(self._maps)

    def __getitem__(self, index: Any) -> Any:
        return self._maps[index]

    def find(self, id: str, group: str) -> Optional[Map]:
        """The first map of a package and data group; None if there is none."""
        return next((map for map in self._maps if map.id == id and map.group == group), None)

    @property
    def state(self) -> State:
        """Whether these are still the ones to read: two system calls."""
        return State(self._library.tu_maps_state(self._held))

    def path(self, map: Map) -> str:
        """The path of a map, for libraries that want one; good for as long as the maps are held."""
        return f"{self.directory}/{map.path}"

    def fd(self, map: Map) -> int:
        """A descriptor of a map, which the caller closes; of a .dat file, at the beginning of its data."""
        offset = ctypes.c_uint64()
        raw = self._raw[self._maps.index(map)]
        descriptor: int = self._library.tu_map_fd(self._held, raw, ctypes.byref(offset))
        if descriptor < 0:
            code = ctypes.get_errno()
            raise OSError(code, os.strerror(code), self.path(map))
        try:
            if offset.value > 0:
                os.lseek(descriptor, offset.value, os.SEEK_SET)
        except OSError:
            os.close(descriptor)
            raise
        return descriptor

    def open(self, map: Map) -> BinaryIO:
        """A map as a file to read; of a .dat file, at the beginning of its data."""
        return io.open(self.fd(map), "rb")

    @property
    def _held(self) -> int:
        if self._pointer is None:
            raise ValueError("the maps are not held any more")
        return self._pointer


_MAPS = 2


class _Options(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("root", ctypes.c_char_p),
        ("socket", ctypes.c_char_p),
        ("program", ctypes.c_char_p),
        ("config", ctypes.c_char_p),
        ("language", ctypes.c_char_p),
    ]


class _Place(ctypes.Structure):
    _fields_ = [("latitude", ctypes.c_double), ("longitude", ctypes.c_double)]


class _Map(ctypes.Structure):
    _fields_ = [
        ("id", ctypes.c_char_p),
        ("group", ctypes.c_char_p),
        ("path", ctypes.c_char_p),
        ("release", ctypes.c_uint64),
        ("size", ctypes.c_uint64),
        ("digest", ctypes.c_char_p),
        ("is_directory", ctypes.c_bool),
        ("is_described", ctypes.c_bool),
    ]


def _map(raw: Any) -> Map:
    return Map(
        raw.id.decode(),
        raw.group.decode(),
        os.fsdecode(raw.path),
        raw.release,
        raw.size,
        raw.digest.decode(),
        raw.is_directory,
        raw.is_described,
    )


_loaded: Optional[ctypes.CDLL] = None


def _library() -> Any:
    """The library, with the types of its functions."""
    global _loaded
    if _loaded is None:
        name = os.environ.get("TINYUPDATER_LIBRARY") or ctypes.util.find_library("tinyupdater")
        library = ctypes.CDLL(name or "libtinyupdater.so.1", use_errno=True)
        loader, number, size = ctypes.c_void_p, ctypes.c_uint64, ctypes.c_size_t
        names = ctypes.POINTER(ctypes.c_char_p)
        types: Dict[str, Sequence[Any]] = {
            # function: what it returns, and what it takes
            "tu_open": (ctypes.c_int, ctypes.POINTER(_Options), ctypes.POINTER(ctypes.c_void_p)),
            "tu_close": (None, loader),
            "tu_fd": (ctypes.c_int, loader),
            "tu_failure": (ctypes.c_int, loader),
            "tu_message": (ctypes.c_char_p, loader),
            "tu_next": (ctypes.c_int, loader),
            "tu_event_request": (number, loader),
            "tu_event_json": (ctypes.c_char_p, loader),
            "tu_leave": (None, loader, number),
            "tu_tree": (number, loader, ctypes.c_int),
            "tu_at": (number, loader, ctypes.POINTER(_Place)),
            "tu_near": (number, loader, ctypes.POINTER(_Place), ctypes.c_uint32),
            "tu_position": (number, loader, ctypes.POINTER(_Place)),
            "tu_cancel_operation": (number, loader, number),
            "tu_maps_hold": (ctypes.c_int, loader, ctypes.POINTER(ctypes.c_void_p)),
            "tu_maps_release": (None, ctypes.c_void_p),
            "tu_maps_release_number": (number, ctypes.c_void_p),
            "tu_maps_release_label": (ctypes.c_char_p, ctypes.c_void_p),
            "tu_maps_directory": (ctypes.c_char_p, ctypes.c_void_p),
            "tu_maps_count": (size, ctypes.c_void_p),
            "tu_maps_get": (ctypes.POINTER(_Map), ctypes.c_void_p, size),
            "tu_maps_state": (ctypes.c_int, ctypes.c_void_p),
            "tu_map_fd": (ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(_Map), ctypes.POINTER(number)),
        }
        for name in ("watch", "status", "check", "plan", "groups", "update", "stage", "activate", "repair", "rollback",
                     "confirm"):
            types[f"tu_{name}"] = (number, loader)
        for name in ("polygons", "select_groups", "deselect_groups", "install", "uninstall", "cancel"):
            types[f"tu_{name}"] = (number, loader, names, size)
        for name, (result, *arguments) in types.items():
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments
        _loaded = library
    return _loaded
