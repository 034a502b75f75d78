// Development only: serves the query API from a made-up world, for `npm run dev` and for
// `npm run preview`, which serves the committed build with the headers of the real server.
//   BERTH_FIXTURE=large  1,000 queues and 100,000 pending workloads
//   BERTH_FIXTURE_STEP   milliseconds between changes; 0: none

import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Connect, Plugin } from "vite";
import * as others from "./other_answers.ts";
import * as queues from "./queue_answers.ts";
import * as workloads from "./workload_answers.ts";
import { advance, kLarge, kSmall, makeWorld, type World } from "./world.ts";

const kToken = "development";
const kPrefix = "/api/v1/";
const kSecurity =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

class FixtureServer {
  private revision = 1;
  private readonly world: World;
  private readonly streams = new Set<ServerResponse>();

  constructor(size: string, step: number) {
    this.world = makeWorld(size === "large" ? kLarge : kSmall, Date.now());
    if (step > 0) setInterval(() => this.change(), step).unref();
  }

  private change(): void {
    advance(this.world, Date.now());
    this.revision += 1;
    for (const stream of this.streams) this.announce(stream);
  }

  private announce(stream: ServerResponse): void {
    stream.write(`event: change\ndata: {"revision":"${this.revision}"}\n\n`);
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    if (request.headers.authorization !== `Bearer ${kToken}`)
      return fail(response, 401, "The token is missing or not valid.");
    const url = new URL(request.url ?? "", "http://localhost");
    const path = url.pathname.slice(kPrefix.length).split("/").map(decodeURIComponent);
    if (path[0] === "updates") return this.follow(response);
    if (path[0] === "plan" && request.method === "POST") return this.plan(request, response);
    const answer = this.answer(path, url.searchParams);
    if (answer === undefined) return fail(response, 404, `${path.join("/")} not found`);
    send(request, response, answer);
  }

  private answer(path: string[], query: URLSearchParams): unknown {
    const revision = String(this.revision);
    const page = { limit: Number(query.get("limit") ?? 100), offset: Number(query.get("offset") ?? 0) };
    const [kind, a = "", b = "", c] = path;
    switch (kind) {
      case "session":
        return {
          user: "developer",
          mode: "local",
          version: "0.0.0",
          features: { history: true, plan: true, eta: true, journal: true },
        };
      case "overview":
        return others.overview(this.world, revision);
      case "tree":
        return queues.tree(this.world, revision);
      case "clusterqueues":
        if (b === "history") return queues.pastQueue(this.world, a, Number(query.get("at")));
        return queues.clusterQueue(this.world, revision, a, page);
      case "localqueues":
        return queues.localQueue(this.world, revision, a, b, page);
      case "workloads":
        return this.workloads(a, b, c, query, page);
      case "flavors":
        return queues.flavors(this.world, revision);
      case "manifests":
        return this.manifest(a, b, c);
      case "history":
        return others.history(this.world, query.get("name") ?? "", Number(query.get("from")), 300);
      default:
        return undefined;
    }
  }

  private workloads(
    a: string,
    b: string,
    c: string | undefined,
    query: URLSearchParams,
    page: { limit: number; offset: number },
  ): unknown {
    const revision = String(this.revision);
    if (!a) return workloads.workloads(this.world, revision, query, page);
    const found = workloads.find(this.world, a, b);
    if (c === "eta") return found && workloads.estimate(found);
    if (c === "history") return found && workloads.life(found);
    return workloads.workload(this.world, revision, a, b);
  }

  private manifest(kind: string, a: string, b: string | undefined): string | undefined {
    const queue = this.world.queues.find((q) => q.name === a);
    switch (kind) {
      case "clusterqueues":
        return queue && others.clusterQueueManifest(queue);
      case "cohorts":
        return others.otherManifest("Cohort", a);
      case "resourceflavors":
        return others.otherManifest("ResourceFlavor", a);
      case "localqueues":
        return others.otherManifest("LocalQueue", b ?? "", a);
      case "workloads":
        return others.otherManifest("Workload", b ?? "", a);
      default:
        return undefined;
    }
  }

  private plan(request: IncomingMessage, response: ServerResponse): void {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      const problems = others.problemsOf(body);
      if (problems.length === 0) return send(request, response, others.planOf(this.world, body));
      fail(response, 422, "The change is not valid.", { problems });
    });
  }

  private follow(response: ServerResponse): void {
    response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
    response.write(": connected\n\n");
    this.announce(response);
    this.streams.add(response);
    const comments = setInterval(() => response.write(": \n\n"), 15000);
    response.on("close", () => {
      clearInterval(comments);
      this.streams.delete(response);
    });
  }
}

function send(request: IncomingMessage, response: ServerResponse, answer: unknown): void {
  const isText = typeof answer === "string";
  const body = isText ? answer : JSON.stringify(answer);
  const etag = `"${createHash("sha256").update(body).digest("hex").slice(0, 16)}"`;
  response.setHeader("ETag", etag);
  if (request.headers["if-none-match"] === etag) {
    response.writeHead(304).end();
    return;
  }
  response.writeHead(200, { "Content-Type": isText ? "text/yaml" : "application/json" }).end(body);
}

function fail(response: ServerResponse, code: number, message: string, more: object = {}): void {
  const status = {
    kind: "Status",
    apiVersion: "v1",
    status: "Failure",
    message,
    reason: "Failed",
    code,
    ...more,
  };
  response.writeHead(code, { "Content-Type": "application/json" }).end(JSON.stringify(status));
}

export function fixtureServer(): Plugin {
  const install = (middlewares: Connect.Server, isPreview: boolean) => {
    const server = new FixtureServer(
      process.env.BERTH_FIXTURE ?? "small",
      Number(process.env.BERTH_FIXTURE_STEP ?? 3000),
    );
    middlewares.use((request, response, next) => {
      if (isPreview) response.setHeader("Content-Security-Policy", kSecurity);
      if (request.url?.startsWith(kPrefix)) server.handle(request, response);
      else next();
    });
  };
  return {
    name: "berth-fixture-server",
    configureServer: ({ middlewares }) => install(middlewares, false),
    configurePreviewServer: ({ middlewares }) => install(middlewares, true),
  };
}
