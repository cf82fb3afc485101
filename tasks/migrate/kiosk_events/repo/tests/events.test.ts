import assert from "node:assert/strict";
import test from "node:test";
import { publish, subscribe } from "../src/events.ts";

test("an event reaches those who asked for its kind, in their order", () => {
  const heard: string[] = [];
  subscribe("test.sent", ({ text }) => heard.push(`first ${text}`));
  subscribe("test.sent", ({ text }) => heard.push(`second ${text}`));
  publish("test.sent", { text: "hello" });
  publish("test.other", { text: "nobody" });
  assert.deepEqual(heard, ["first hello", "second hello"]);
});
