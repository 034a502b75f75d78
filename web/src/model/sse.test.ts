import { describe, expect, it } from "vitest";
import { EventStreamParser } from "./sse";

describe("EventStreamParser", () => {
  it("joins an event that arrives in pieces", () => {
    const parser = new EventStreamParser();
    expect(parser.push("event: cha")).toEqual([]);
    expect(parser.push('nge\ndata: {"revision":"7"}\n')).toEqual([]);
    expect(parser.push("\n")).toEqual([{ event: "change", data: '{"revision":"7"}' }]);
  });

  it("ignores comments", () => {
    expect(new EventStreamParser().push(": still here\n\n")).toEqual([]);
  });

  it("accepts CRLF, also when it is split between chunks", () => {
    const parser = new EventStreamParser();
    expect(parser.push("data: a\r")).toEqual([]);
    expect(parser.push("\n\r\n")).toEqual([{ event: "message", data: "a" }]);
  });

  it("joins lines of data", () => {
    expect(new EventStreamParser().push("data: a\ndata: b\n\n")[0]?.data).toBe("a\nb");
  });
});
