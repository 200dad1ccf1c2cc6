// Bundles what runs without a browser and runs it in Node.
//   node test.mjs            the unit tests of core/, tools/ and plan/
//   node test.mjs plans      plans from standard input, executed; their frames on standard output
//   node test.mjs editing    documents from standard input; how the page reads and edits them on standard output
import * as esbuild from "esbuild";
import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const program = process.argv[2];
const files = program ? [`${program}.ts`] : (await readdir(join(here, "test"))).filter((name) => name.endsWith(".test.ts"));
const out = await mkdtemp(join(tmpdir(), "detent-web-"));
try {
  await esbuild.build({
    absWorkingDir: here,
    entryPoints: files.map((name) => join("test", name)),
    outdir: out,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "es2022",
    logLevel: "warning",
  });
  const made = files.map((name) => join(out, name.replace(/\.ts$/, ".mjs")));
  const { status } = spawnSync(process.execPath, program ? made : ["--test", ...made], { stdio: "inherit" });
  process.exitCode = status ?? 1;
} finally {
  await rm(out, { recursive: true, force: true });
}
