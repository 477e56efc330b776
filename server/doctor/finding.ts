import type { MistakeId } from '../config-check/mistake-ids.ts';
import type { TroubleId } from './trouble-ids.ts';

/** What a check has found. `failure` keeps the service from its work or costs money, `warning` may, `ok` does not. */
export type Finding = {
  /** What was looked at and how it was, for programs: stable. */
  readonly id: string;
  readonly level: 'ok' | 'warning' | 'failure';
  /** What was looked at, like `chain 10, node 1`. A node is named by its place: its URL can hold a key. */
  readonly about: string;
  /** How it is, as a sentence without a secret. */
  readonly message: string;
  /** What fixes it, as a sentence. */
  readonly remedy?: string;
};

/** A look at one thing. */
export type Check = { readonly about: string; run(): Promise<readonly Finding[]> };

/** How findings about one thing are made. */
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
