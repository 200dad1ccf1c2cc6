// Bundles the workbench into the package: src/detent/app/server/static. Usage: node build.mjs [--watch]
import * as esbuild from "esbuild";
import { cp, mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, "..", "src", "detent", "app", "server", "static");

await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
await cp(join(here, "index.html"), join(out, "index.html"));

const options = {
  absWorkingDir: here,
  entryPoints: { app: "src/main.tsx" },
  outdir: out,
  bundle: true,
  minify: true,
  format: "esm",
  splitting: true, // what is loaded lazily becomes a chunk of its own
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
};

if (process.argv.includes("--watch")) {
  const context = await esbuild.context(options);
  await context.watch();
} else {
  await esbuild.build(options);
}
