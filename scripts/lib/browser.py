"""Drives a headless Chromium over its debugging pipe (the Chrome DevTools Protocol), with nothing but Python."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

OPTIONS = [
    "--headless=new", "--remote-debugging-pipe", "--no-first-run", "--no-default-browser-check",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
    "--force-color-profile=srgb", "--font-render-hinting=none",
]  # fmt: skip


# WebGL without a graphics card.
DRAWING = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"]


class Browser:
    """A browser with one page; `with Browser() as page:`."""

    def __init__(self, has_webgl=False):
        program = os.environ.get("CHROMIUM") or shutil.which("chromium")
        if program is None:
            raise SystemExit("chromium is missing: scripts/setup browser")
        self.profile = tempfile.mkdtemp(prefix="tinyupdater-browser.")
        its_input, self.output = os.pipe()
        self.input, its_output = os.pipe()
        # It expects its pipe at the descriptors 3 and 4; as root it does not start in its sandbox.
        command = ["sh", "-c", f'exec "$0" "$@" 3<&{its_input} 4>&{its_output} 2>/dev/null', program]
        command += OPTIONS + (DRAWING if has_webgl else ["--disable-gpu"]) + [f"--user-data-dir={self.profile}"]
        command += ["--no-sandbox"] if os.getuid() == 0 else []
        self.process = subprocess.Popen(command, pass_fds=(its_input, its_output), stdin=subprocess.DEVNULL)
        os.close(its_input)
        os.close(its_output)
        self.buffer, self.number, self.events, self.session, self.has_scripts = b"", 0, [], None, True
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.session = None
        try:
            self.call("Browser.close")
            self.process.wait(20)
        except (OSError, TimeoutError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def call(self, method, **parameters):
        """Calls a method of the protocol; what it answers."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session is not None:
            message["sessionId"] = self.session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive(60)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def receive(self, seconds):
        """The next message; events are kept, too."""
        end = time.monotonic() + seconds
        while b"\0" not in self.buffer:
            if not select.select([self.input], [], [], max(0, end - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            data = os.read(self.input, 1 << 20)
            if not data:
                raise OSError("the browser has ended")
            self.buffer += data
        line, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(line)
        if "method" in message:
            self.events.append(message)
        return message

    def wait_for(self, method):
        """Waits for an event that has not come since the last `open`."""
        while not any(event["method"] == method for event in self.events):
            self.receive(60)

    def open(self, path):
        """Opens a file or a URL, and waits until all of it is there."""
        self.events.clear()
        self.call("Page.navigate", url=path if "://" in path else "file://" + os.path.realpath(path))
        self.wait_for("Page.loadEventFired")

    def reload(self):
        """Opens the same page anew; what was noticed before is kept."""
        count = len(self.events)
        self.call("Page.reload")
        while not any(event["method"] == "Page.loadEventFired" for event in self.events[count:]):
            self.receive(60)

    def run(self, script):
        """The value of an expression, after a promise is kept."""
        result = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"]["exception"].get("description", script))
        return result["result"].get("value")

    def painted(self):
        """Waits until what has changed is painted."""
        if not self.has_scripts:
            self.call("Page.captureScreenshot", format="jpeg", quality=1)
            return
        self.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def resize(self, width, height, is_phone=False):
        self.size = (width, height, is_phone)
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=2 if is_phone else 1,
            mobile=is_phone)  # fmt: skip
        self.call("Emulation.setTouchEmulationEnabled", enabled=is_phone)

    def prefer(self, scheme):
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.call("Emulation.setEmulatedMedia", features=features)

    def allow_scripts(self, are_allowed):
        self.has_scripts = are_allowed
        self.call("Emulation.setScriptExecutionDisabled", value=not are_allowed)

    def key(self, key, text=None):
        codes = {"Enter": 13, "Tab": 9}
        parameters = {"key": key, "windowsVirtualKeyCode": codes.get(key, ord(key[0]))}
        if text is not None:
            parameters["text"] = text
        self.call("Input.dispatchKeyEvent", type="keyDown", **parameters)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x, y):
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, button="left", clickCount=1)
        self.mouse("mouseReleased", x, y, button="left", clickCount=1)

    def screenshot(self, path, whole=True):
        """Of the whole page, or of what is seen without scrolling."""
        width, height, is_phone = self.size
        if whole:
            self.resize(width, self.run("document.documentElement.scrollHeight"), is_phone)
        self.painted()
        data = self.call("Page.captureScreenshot", format="png")["data"]
        if whole:
            self.resize(width, height, is_phone)
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def complaints(self):
        """What was printed to the console, and what could not be loaded or run."""
        found = []
        for event in self.events:
            parameters = event["params"]
            if event["method"] == "Runtime.exceptionThrown":
                found.append(parameters["exceptionDetails"].get("exception", {}).get("description", "an exception"))
            if event["method"] == "Runtime.consoleAPICalled":
                found.append(f"console.{parameters['type']}")
            if event["method"] == "Log.entryAdded":
                found.append(parameters["entry"]["text"])
        return found

    def requests(self):
        """The URLs that were asked for since the last `open`."""
        return [e["params"]["request"]["url"] for e in self.events if e["method"] == "Network.requestWillBeSent"]
