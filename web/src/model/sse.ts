// Parser of text/event-stream. Comments keep the connection alive and produce no event.

export interface ServerEvent {
  event: string;
  data: string;
}

export class EventStreamParser {
  private rest = "";
  private event = "";
  private data: string[] = [];

  // Returns the events that the chunk completes.
  push(chunk: string): ServerEvent[] {
    const lines = (this.rest + chunk).split(/\r\n|\n|\r(?!$)/);
    this.rest = lines.pop() ?? "";
    return lines.flatMap((line) => this.line(line));
  }

  private line(line: string): ServerEvent[] {
    if (line === "") return this.dispatch();
    const colon = line.indexOf(":");
    if (colon === 0) return [];
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") this.event = value;
    if (field === "data") this.data.push(value);
    return [];
  }

  private dispatch(): ServerEvent[] {
    const events =
      this.data.length > 0 ? [{ event: this.event || "message", data: this.data.join("\n") }] : [];
    this.event = "";
    this.data = [];
    return events;
  }
}
