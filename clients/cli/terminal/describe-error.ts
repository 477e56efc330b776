import { omitAbsent } from '@tollfree/contract/omit-absent';
import { redactText } from './redact-text.ts';

/** What is logged of an error. */
export type DescribedError = {
  readonly name: string;
  readonly code?: string | number;
  readonly message: string;
  /** Where in our own files it was thrown, innermost first. */
  readonly stack?: string;
  readonly cause?: DescribedError;
};

/** Causes of causes that are followed. */
const maxDepth = 5;
const maxFrames = 10;
/** What a frame's path begins with in our own files. */
const root = new URL('../../../', import.meta.url);

/**
 * An error as it may be logged, with its causes. Messages of nodes, databases and libraries can hold anything, so what may be
 * a secret is taken out of them; of the stack there are the frames in our own files, with paths from the root of the program.
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

/** The errors of viem add the whole request to their message. */
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
