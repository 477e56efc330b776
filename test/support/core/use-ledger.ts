import { afterEach, beforeEach } from 'vitest';
import { openLedger } from './ledger-lab.ts';

/** A ledger, to be read inside of tests. */
export type UsedLedger = Pick<Awaited<ReturnType<typeof openLedger>>, 'store' | 'database'>;

/** Each test of the file gets a ledger of its own, which is closed after it. */
export function useLedger(): UsedLedger {
  let opened: Awaited<ReturnType<typeof openLedger>> | undefined;
  const current = () => {
    if (opened === undefined) throw new Error('There is a ledger only while a test runs.');
    return opened;
  };
  beforeEach(async () => {
    opened = await openLedger();
  });
  afterEach(async () => {
    await opened?.close();
    opened = undefined;
  });
  return {
    get store() {
      return current().store;
    },
    get database() {
      return current().database;
    },
  };
}
