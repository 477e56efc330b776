/** What ends an attribution suffix (ERC-8021): `8021` eight times. */
const marker = Buffer.from('8021'.repeat(8), 'hex');
/** Longest suffix that is taken, in bytes: several codes, or the metadata of a wallet and an app. */
export const maxAttributionBytes = 200;
const addressBytes = 20;
/** The bytes of a code and the commas between codes: printable ASCII. */
const isCodeByte = (byte: number) => byte > 0x20 && byte < 0x7f;

/**
 * Whether bytes are exactly one attribution suffix of ERC-8021, from the first to the last: codes of the canonical registry
 * (schema 0) or of another one (schema 1), or a map in CBOR (schema 2), each with its length behind it.
 */
export function isAttributionSuffix(bytes: Buffer): boolean {
  const schemaAt = bytes.length - marker.length - 1;
  if (schemaAt < 1 || bytes.length > maxAttributionBytes || !bytes.subarray(schemaAt + 1).equals(marker)) return false;
  const before = bytes.subarray(0, schemaAt);
  switch (bytes[schemaAt]) {
    case 0:
      return readCodes(before)?.length === 0;
    case 1:
      return isRegistry(readCodes(before));
    case 2:
      return before.length > 2 && before.readUInt16BE(before.length - 2) === before.length - 2;
    default:
      return false;
  }
}

/** What stands before the codes and their length; undefined where there are no codes. */
function readCodes(bytes: Buffer): Buffer | undefined {
  const length = bytes.at(-1) ?? 0;
  const start = bytes.length - 1 - length;
  if (length === 0 || start < 0 || !bytes.subarray(start, -1).every(isCodeByte)) return undefined;
  return bytes.subarray(0, start);
}

/** The address of a registry, the id of its chain, and how many bytes that has. */
function isRegistry(bytes: Buffer | undefined): boolean {
  const chainIdBytes = bytes?.at(-1) ?? 0;
  return chainIdBytes > 0 && bytes?.length === addressBytes + chainIdBytes + 1;
}
