// A small model as a link's fragment: compressed JSON in the alphabet of addresses. Nothing leaves the page.

import type { Mechanism } from "../document";

/** Longer addresses are cut by some programs that pass them on. */
export const LONGEST = 8000;

async function through(bytes: Uint8Array, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const body = new Blob([bytes as BlobPart]).stream().pipeThrough(stream as unknown as ReadableWritablePair<Uint8Array, Uint8Array>);
  return new Uint8Array(await new Response(body as unknown as ReadableStream).arrayBuffer());
}

export async function pack(document: Mechanism): Promise<string> {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(document)), new CompressionStream("deflate-raw"));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export async function unpack(fragment: string): Promise<Mechanism> {
  const plain = atob(fragment.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = await through(Uint8Array.from(plain, (c) => c.charCodeAt(0)), new DecompressionStream("deflate-raw"));
  const made = JSON.parse(new TextDecoder().decode(bytes)) as Mechanism;
  if (made?.format !== "detent/1") throw new Error("the link holds no model");
  return made;
}
