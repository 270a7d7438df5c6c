-- The W3C trace context that caused the event, where that was traced: the spans of later attempts join it.
ALTER TABLE events ADD COLUMN traceparent text;
