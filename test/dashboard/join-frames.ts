import { crc32 } from 'node:zlib';

/** A frame of a moving picture: a PNG, and how long it is shown. */
export type Frame = { readonly png: Buffer; readonly seconds: number };

const signature = Buffer.from('89504e470d0a1a0a', 'hex');

type Chunk = { readonly type: string; readonly data: Buffer };

function readChunks(png: Buffer): readonly Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = signature.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    chunks.push({
      type: png.toString('latin1', at + 4, at + 8),
      data: png.subarray(at + 8, at + 8 + length),
    });
    at += 12 + length;
  }
  return chunks;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/**
 * Frames of one size as an animated PNG, which repeats for ever (PNG, third edition: `acTL`, `fcTL`, `fdAT`). A program that knows
 * no such pictures shows the first frame.
 *
 * @throws Error for frames of different sizes or colours.
 */
export function joinFrames(frames: readonly Frame[]): Buffer {
  const read = frames.map(({ png }) => readChunks(png));
  const [header = Buffer.alloc(0), ...others] = read.map((chunks) => chunks.find(({ type }) => type === 'IHDR')?.data);
  if (others.some((other) => other === undefined || !other.equals(header))) {
    throw new Error('The frames differ in size or colours.');
  }
  let number = 0;
  const parts = [signature, chunk('IHDR', header), chunk('acTL', Buffer.concat([uint32(frames.length), uint32(0)]))];
  for (const [index, chunks] of read.entries()) {
    const delay = Buffer.alloc(6);
    delay.writeUInt16BE(Math.round((frames[index]?.seconds ?? 0) * 1_000), 0);
    delay.writeUInt16BE(1_000, 2);
    // Size as in the header, at the corner.
    const control = [uint32(number), header.subarray(0, 8), uint32(0), uint32(0), delay];
    parts.push(chunk('fcTL', Buffer.concat(control)));
    number += 1;
    for (const { type, data } of chunks) {
      if (type !== 'IDAT') continue;
      if (index === 0) parts.push(chunk('IDAT', data));
      else {
        parts.push(chunk('fdAT', Buffer.concat([uint32(number), data])));
        number += 1;
      }
    }
  }
  return Buffer.concat([...parts, chunk('IEND', Buffer.alloc(0))]);
}
