import hashlib, hmac, json, os, re, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def verify(body, headers, secrets, tolerance=300, now=None):
    """The event of a delivery; a ValueError's text is one of the codes of vectors.json."""
    found = {name.lower(): value for name, value in headers.items()}
    timestamp, signature = found.get("x-timestamp"), found.get("x-signature")
    if not secrets:
        raise ValueError("missing_secret")
    if not timestamp or not signature:
        raise ValueError("missing_header")
    if not re.fullmatch("[0-9]{1,12}", timestamp) or not re.fullmatch("v1=[0-9a-fA-F]{64}", signature):
        raise ValueError("malformed_header")
    signed = timestamp.encode() + b"." + body
    right = ["v1=" + hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest() for secret in secrets]
    if not any([hmac.compare_digest(text, signature.lower()) for text in right]):
        raise ValueError("no_matching_signature")
    if abs(int(now or time.time()) - int(timestamp)) > tolerance:
        raise ValueError("stale_timestamp")
    try:
        event = json.loads(body.decode("utf-8"))
    except ValueError:
        raise ValueError("body_not_json") from None
    texts = {name for name, value in event.items() if isinstance(value, str)} if isinstance(event, dict) else set()
    if "event" not in texts and not {"event_type", "event_id"} <= texts:
        raise ValueError("unknown_envelope")
    return event


class Inbox:
    """What has come already. Keep it in the database of your orders, in the transaction of your own write."""

    def __init__(self):
        self.seen, self.latest = set(), {}

    def take(self, event):
        """Whether to work on an event: False if it is a repetition, or older than what its object had applied."""
        event_id, sequence = event.get("event_id") or event.get("eventId"), event.get("sequence")
        if event_id in self.seen:
            return False
        if event_id:
            self.seen.add(event_id)
        if not sequence or event["event"] in ("risk_alert", "test"):
            return True
        subject = (event.get("order") or event.get("data"))["id"]
        if sequence < self.latest.get(subject, 0):
            return False
        self.latest[subject] = sequence
        return True


inbox = Inbox()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        try:
            event = verify(body, self.headers, os.environ.get("WEBHOOK_SECRET", "").split())
            if inbox.take(event):
                print(event, flush=True)  # store it, and work on it after the answer
            self.send_response(200)
        except ValueError as error:
            print(error, flush=True)
            self.send_response(500 if str(error) == "missing_secret" else 400)
        self.end_headers()


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", 9000))), Receiver).serve_forever()
