import { omitAbsent } from '@tollfree/contract/omit-absent';

/** Longest text of an error that is logged, in UTF-16 units. */
const maxLength = 500;

/** Possible secrets and their replacements. The order matters: a URL may contain any of the others. */
const redactions: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [\s\S]*?(?:-----END [^\n]*|$)/g, '[pem]'],
  // Nodes and webhooks may have keys in the path, in the query or before the host.
  [/[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]*/gi, '[url]'],
  // V8's message quotes text that is not JSON.
  [/(["'`])[\s\S]*\1 is not valid JSON/g, '[text] is not valid JSON'],
  // An apiKey: a prefix and an id. An id without a prefix is not secret.
  [/\b[\w-]+\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, '[redacted]'],
  [/\b(?:tfs?_|whsec_)[^\s"',;]*/g, '[redacted]'],
  [/[A-Za-z0-9+/]{42,}={1,2}/g, '[redacted]'],
  // Keys, signatures and call data; an address, with 40 digits, is not secret.
  [/\b(?:0x)?[0-9a-f]{41,}\b/gi, '[hex]'],
  [/\b(?!0x[0-9a-fA-F]{40}\b)\w{41,}\b/g, '[redacted]'],
];

/** Third-party text without possible secrets: URLs, keys, tokens, apiKeys, long hex. */
export function redactText(text: string): string {
  // Bounded for the patterns. The word at the cut is dropped, since it may be part of a secret that no pattern matches.
  const cut = text.length > maxLength * 4 ? text.slice(0, maxLength * 4).replace(/\S*$/, '') : text;
  const clean = redactions.reduce((rest, [secret, substitute]) => rest.replace(secret, substitute), cut);
  return clean.length > maxLength ? `${clean.slice(0, maxLength)}…` : clean;
}

/** The logged parts of an error. */
type DescribedError = {
  readonly name: string;
  readonly code?: string | number;
  readonly message: string;
  /** Frames in our own files, innermost first. */
  readonly stack?: string;
  readonly cause?: DescribedError;
};

/** How many levels of `cause` are followed. */
const maxDepth = 5;
const maxFrames = 10;
/** Path prefix of frames in our own files. */
const root = new URL('../../../', import.meta.url);

/**
 * An error in a form safe to log, with its causes. Messages of nodes, databases and libraries may contain anything, so
 * possible secrets are removed; of the stack only frames in our own files are kept, with paths from the root of the program.
 */
export function describeError(error: unknown): DescribedError {
  return describe(error, 0);
}

function describe(error: unknown, depth: number): DescribedError {
  if (!(error instanceof Error))
    return { name: typeof error, message: typeof error === 'string' ? redactText(error) : '' };
  const code = codeOf(error);
  const stack = ownFrames(error);
  const hasCause = error.cause !== undefined && depth < maxDepth;
  return {
    name: redactText(error.name),
    ...omitAbsent({ code }),
    message: redactText(messageOf(error)),
    ...(stack === '' ? {} : { stack }),
    ...(hasCause ? { cause: describe(error.cause, depth + 1) } : {}),
  };
}

/** viem's errors add the whole request to their message. */
function messageOf(error: Error): string {
  return 'shortMessage' in error && typeof error.shortMessage === 'string' ? error.shortMessage : error.message;
}

function codeOf(error: Error): string | number | undefined {
  if (!('code' in error)) return undefined;
  if (typeof error.code === 'string') return redactText(error.code);
  return typeof error.code === 'number' ? error.code : undefined;
}

function ownFrames({ stack = '' }: Error): string {
  return stack
    .split('\n')
    .filter((line) => /^ {4}at /.test(line) && line.includes(root.pathname) && !line.includes('node_modules'))
    .slice(0, maxFrames)
    .map((line) => redactText(line.trim().replace(root.href, '').replace(root.pathname, '')))
    .join('\n');
}
