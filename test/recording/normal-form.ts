/** Text and numbers that differ between two runs that are the same: ids, secrets, addresses of servers. */
export const idPatterns = [
  /[A-Za-z0-9_-]{9}\.[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g,
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g,
  /tfp_[0-9a-f]{32}/g,
  /tfs?_[A-Za-z0-9_-]{20,}/g,
  /(?:subject|ticket):[A-Za-z0-9_-]{43}/g,
  /whsec_[A-Za-z0-9+/=]+/g,
  // Digests of secrets in the audit log.
  /SHA-256 [0-9a-f]{16}…/g,
  // The x of a public key (JWK), in JSON within JSON as well.
  /(?<=x\\{0,3}":\\{0,3}")[A-Za-z0-9_-]{43}(?=\\{0,3}")/g,
] as const;

const serverPattern = /http:\/\/127\.0\.0\.1:\d+/g;

/** Fields whose value means nothing on another database, or depends on when something else is written. */
const leftOut: ReadonlySet<string> = new Set([
  'etag',
  'nextCursor',
  'entryId',
  'secretJson',
  'publicKeyJson',
  'fundingMessage',
  'reverses',
  // Of an apiKey, which is random.
  'lastFour',
  // Written some time after the request that used the key.
  'lastUsedAt',
  // Rows of the archive, as the tables have them.
  'rows',
]);

/** The number of an entry in JSON within JSON: two contracts that are read at once may be written in either order. */
const entryNumber = /(?<=entry_id\\{0,3}":)\d+/g;

/** Fields with hashes of blocks and transactions. A block of the chain's beginning has another hash each time. */
const hashFields: ReadonlySet<string> = new Set(['txHash', 'transactionHash']);
const hashPattern = /0x[0-9a-f]{64}/g;

/** Fields with numbers of rows, which are numbered again in the order in which they are seen. */
const numbered: ReadonlySet<string> = new Set(['holdId']);

/** Writes what came of an action so that it is the same for the same behaviour. Ids are numbered in the order they are seen. */
export type NormalForm = (outcome: unknown) => unknown;

export function createNormalForm(): NormalForm {
  const known = new Map<string, string>();
  const nameOf = (id: string) => {
    const name = known.get(id) ?? `id ${known.size + 1}`;
    known.set(id, name);
    return name;
  };

  function ofText(text: string): string {
    const withoutServers = text.replaceAll(serverPattern, 'http://stand-in');
    const withoutNumbers = withoutServers.replaceAll(entryNumber, '0');
    const withoutHashes = withoutNumbers.replaceAll(hashPattern, (hash) => known.get(hash) ?? hash);
    return idPatterns.reduce((written, pattern) => written.replaceAll(pattern, nameOf), withoutHashes);
  }

  function of(value: unknown, field?: string): unknown {
    if (field !== undefined && numbered.has(field)) return nameOf(`${field} ${String(value)}`);
    if (field !== undefined && hashFields.has(field)) return nameOf(String(value));
    if (typeof value === 'bigint') return value.toString();
    if (typeof value === 'string') return ofText(value);
    if (value === null || typeof value !== 'object') return value;
    if (Array.isArray(value)) return value.map((item) => of(item));
    const fields = Object.entries(value).filter(([name, each]) => each !== undefined && !leftOut.has(name));
    return Object.fromEntries(fields.map(([name, each]) => [ofText(name), of(each, name)]));
  }

  return (outcome) => of(outcome);
}
