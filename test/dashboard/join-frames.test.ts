import { crc32, deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { joinFrames } from './join-frames.ts';

const signature = '89504e470d0a1a0a';

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = [data.length, crc32(body)].map((value) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return bytes;
  });
  return Buffer.concat([ends[0] ?? body, body, ends[1] ?? body]);
}

/** A grey picture of one row. */
function grey(level: number, width = 1): Buffer {
  const header = Buffer.from([0, 0, 0, width, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
  const row = deflateSync(Buffer.from([0, ...Array.from({ length: width }, () => level)]));
  const parts = [chunk('IHDR', header), chunk('IDAT', row), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from(signature, 'hex'), ...parts]);
}

/** Types of the chunks with their data; a wrong checksum fails. */
function chunksOf(png: Buffer): readonly { readonly type: string; readonly data: Buffer }[] {
  expect(png.toString('hex', 0, 8)).toBe(signature);
  const chunks = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const body = png.subarray(at + 4, at + 8 + length);
    expect(png.readUInt32BE(at + 8 + length)).toBe(crc32(body));
    chunks.push({ type: body.toString('latin1', 0, 4), data: body.subarray(4) });
    at += 12 + length;
  }
  return chunks;
}

test('joins frames to one picture: the first as any program shows it, the others in order, each for its time', () => {
  const chunks = chunksOf(
    joinFrames([
      { png: grey(0), seconds: 2 },
      { png: grey(255), seconds: 0.5 },
    ]),
  );
  expect(chunks.map(({ type }) => type)).toEqual(['IHDR', 'acTL', 'fcTL', 'IDAT', 'fcTL', 'fdAT', 'IEND']);
  const [, count, first, shown, second, hidden] = chunks.map(({ data }) => data);
  expect([count?.readUInt32BE(0), count?.readUInt32BE(4)]).toEqual([2, 0]);
  expect([first, second, hidden].map((data) => data?.readUInt32BE(0))).toEqual([0, 1, 2]);
  expect([first, second].map((data) => (data?.readUInt16BE(20) ?? 0) / (data?.readUInt16BE(22) ?? 1))).toEqual([
    2, 0.5,
  ]);
  const pixels = (png: Buffer) => chunksOf(png).find(({ type }) => type === 'IDAT')?.data;
  expect(shown).toEqual(pixels(grey(0)));
  expect(hidden?.subarray(4)).toEqual(pixels(grey(255)));
});

test('refuses frames of different sizes', () => {
  const frames = [grey(0), grey(0, 2)].map((png) => ({ png, seconds: 1 }));
  expect(() => joinFrames(frames)).toThrow('differ');
});
