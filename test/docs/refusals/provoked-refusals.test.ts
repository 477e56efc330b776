import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RpcRefusalReason, rpcRefusals } from '../../../contract/rpc/refusals.ts';
import { root } from '../../../tools/prose/find-markdown-files.ts';
import type { Rpc } from '../../support/interface/rpc-calls.ts';
import { openRefusalLab, provoked, type RefusalLab } from './provoke-refusals.ts';

/** A reason that only a fault of the service itself has, and the test that provokes it from within. */
const elsewhere: Readonly<Partial<Record<RpcRefusalReason, string>>> = {
  INTERNAL: 'test/gateway/rpc-envelope.test.ts',
};

/** The bundler's own code is passed on: that of a wrong signature (ERC-7769). */
const codesOfBundler: Readonly<Partial<Record<RpcRefusalReason, number>>> = { BUNDLER_REFUSED: -32507 };

/** What the page shows of each answer. `WRITE_REFUSALS=1` writes it again, for `npm run generate`. */
const file = join(root, 'tools/refusals/answers.json');
const writes = process.env.WRITE_REFUSALS !== undefined;
const shown: Record<string, unknown> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};

/** What differs from one run to the next: ids, addresses, hashes, amounts and times. */
function withoutChance(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '…')
    .replaceAll(/0x[0-9a-fA-F]{40,}/g, '0x…')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…')
    .replaceAll(/\b\d[\d,.]{3,}\d\b/g, '…');
}

let lab: RefusalLab;
beforeAll(async () => {
  lab = await openRefusalLab();
}, 60_000);
afterAll(async () => {
  await lab?.close();
  if (writes) writeFileSync(file, `${JSON.stringify(shown, null, 2)}\n`);
});

test('each reason is provoked: by a request here, or by a test that names it', () => {
  const reasons = Object.keys(rpcRefusals);
  expect(Object.keys({ ...provoked, ...elsewhere }).sort()).toEqual([...reasons].sort());
  expect(Object.keys(provoked).filter((reason) => reason in elsewhere)).toEqual([]);
  for (const [reason, path] of Object.entries(elsewhere)) {
    expect([reason, readFileSync(join(root, path), 'utf8').includes(`'${reason}'`)]).toEqual([reason, true]);
  }
});

test.each(Object.entries(provoked))(
  '%s is answered with the code and status of its entry, and as the page shows',
  async (reason, provoke) => {
    const { code, httpStatus } = rpcRefusals[reason as RpcRefusalReason];
    const answer = await provoke(lab);
    const { error } = answer.json as Rpc;
    const expectedCode = codesOfBundler[reason as RpcRefusalReason] ?? code;
    expect([error?.data?.reason, error?.code]).toEqual([reason, expectedCode]);
    // Methods other than those of the interface answer refusals with 200.
    expect([200, httpStatus]).toContain(answer.status);
    const seen = JSON.parse(JSON.stringify(error), (_, value) =>
      typeof value === 'string' ? withoutChance(value) : value,
    );
    if (writes) shown[reason] = seen;
    else expect(seen).toEqual(shown[reason]);
  },
);
