import { concat, type Hex, numberToHex } from 'viem';

/** Below this a repeated byte is cheaper sent than made. */
const shortestRun = 64;

/** The pieces of which `GeneratingBundler` makes these bytes in memory. */
export function compressBytes(bytes: Hex): Hex {
  const source = Buffer.from(bytes.slice(2), 'hex');
  const pieces: Hex[] = [];
  let sentUpTo = 0;
  const send = (end: number) => {
    if (end > sentUpTo) pieces.push(piece(0, end - sentUpTo, `0x${source.toString('hex', sentUpTo, end)}`));
  };
  for (let at = 0; at < source.length; ) {
    const byte = source[at] ?? 0;
    let end = at + 1;
    while (end < source.length && source[end] === byte) end += 1;
    if (end - at >= shortestRun) {
      send(at);
      pieces.push(byte === 0 ? piece(1, end - at, '0x') : piece(2, end - at, numberToHex(byte, { size: 1 })));
      sentUpTo = end;
    }
    at = end;
  }
  send(source.length);
  return concat(pieces);
}

function piece(kind: number, length: number, data: Hex): Hex {
  return concat([numberToHex(kind, { size: 1 }), numberToHex(length, { size: 3 }), data]);
}
