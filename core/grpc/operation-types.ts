import type { Core } from '../domain/core.ts';
import type { Result } from '../domain/result/result.ts';

/** Every operation that answers with a value or a refusal; only `status` does not. */
export type OperationName = Exclude<keyof Core, 'status'>;

export type Input<Name extends OperationName> = Parameters<Core[Name]> extends [infer Only] ? Only : undefined;

export type Value<Name extends OperationName> =
  Awaited<ReturnType<Core[Name]>> extends Result<infer Accepted> ? Accepted : never;
