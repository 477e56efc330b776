import type { MistakeId } from '../config-check/mistake-ids.ts';
import type { TroubleId } from './trouble-ids.ts';

/** What a check has found. `failure` keeps the service from its work or costs money, `warning` may, `sound` does not. */
export type Finding = {
  /** What was looked at and how it was, for programs: stable. */
  readonly id: string;
  readonly level: 'sound' | 'warning' | 'failure';
  /** What was looked at, like `chain 10, node 1`. A node is named by its place: its URL can hold a key. */
  readonly about: string;
  /** How it is, as a sentence without a secret. */
  readonly says: string;
  /** What mends it, as a sentence. */
  readonly remedy?: string;
};

/** A look at one thing. */
export type Check = { readonly about: string; run(): Promise<readonly Finding[]> };

/** How findings about one thing are made. */
export function findingsAbout(about: string) {
  type Trouble = TroubleId | `config-${MistakeId}`;
  return {
    sound: (id: string, says: string): Finding => ({ id, level: 'sound', about, says }),
    warning: (id: Trouble, says: string, remedy: string): Finding => ({ id, level: 'warning', about, says, remedy }),
    failure: (id: Trouble, says: string, remedy: string): Finding => ({ id, level: 'failure', about, says, remedy }),
  };
}

export type FindingsAbout = ReturnType<typeof findingsAbout>;
