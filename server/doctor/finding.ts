import type { MistakeId } from '../config-check/mistake-ids.ts';
import type { TroubleId } from './trouble-ids.ts';

/**
 * The result of a check. `failure`: the service does not work or money is lost; `warning`: that may happen; `ok`: neither.
 */
export type Finding = {
  /** A stable id of the check and its result, for programs. */
  readonly id: string;
  readonly level: 'ok' | 'warning' | 'failure';
  /** The checked object, like `chain 10, node 1`. A node is named by its position, since its URL may contain a key. */
  readonly about: string;
  /** The result, as a sentence without secrets. */
  readonly message: string;
  /** The fix, as a sentence. */
  readonly remedy?: string;
};

/** A check of one object. */
export type Check = { readonly about: string; run(): Promise<readonly Finding[]> };

/** Creates findings about one object. */
export function findingsAbout(about: string) {
  type Trouble = TroubleId | `config-${MistakeId}`;
  return {
    ok: (id: string, message: string): Finding => ({ id, level: 'ok', about, message }),
    warning: (id: Trouble, message: string, remedy: string): Finding => ({
      id,
      level: 'warning',
      about,
      message,
      remedy,
    }),
    failure: (id: Trouble, message: string, remedy: string): Finding => ({
      id,
      level: 'failure',
      about,
      message,
      remedy,
    }),
  };
}

export type FindingsAbout = ReturnType<typeof findingsAbout>;
