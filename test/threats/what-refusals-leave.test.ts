import { documentedMethods } from '@tollfree/contract/openapi/documented-methods';
import * as example from '@tollfree/contract/openapi/rpc-examples';
import { operationList } from '@tollfree/contract/operations';
import { encodeFunctionData, getAddress, type Hex, keccak256, numberToHex, parseAbi, slice } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openHandle } from '../../core/store/sqlite/open-handle.ts';
import { callRpc } from '../support/interface/rpc-calls.ts';
import { callManagement, newTenant, type Tenant } from '../support/interface/tenant.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';
import { tableBounds } from '../support/store/table-bounds.ts';
import { isOnPostgres } from '../support/store/test-database.ts';

const requests = 60;
/** What a request leaves once its paymaster has used up the room for longer records: its row in the table and in three indexes. */
const mostBytes = 1_024;
/** More than the room for longer records. */
const requestsToFill = 60;
const calls = 100;

let service: RunningService;
let tenant: Tenant;
beforeAll(async () => {
  service = await startService();
  tenant = await newTenant(service);
  for (let number = 0; number < requestsToFill; number += 1) await send('pm_getFeeQuoteOrData', number);
});
afterAll(() => service?.close());

/** The rows of each table and the bytes of all of them, with what waits to be written. */
async function readSizes() {
  await service.managementOf(tenant.authToken).listDecisions({ apiKey: tenant.apiKey, limit: 1 });
  const { database } = service.config;
  if (database.kind !== 'sqlite') throw new Error('The sizes are read from a file.');
  const handle = openHandle(database.file, { readonly: true });
  const names = handle.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
  const rows = new Map(
    (names.pluck().all() as string[]).map((name) => [
      name,
      handle.prepare(`SELECT count(*) FROM ${name}`).pluck().get() as number,
    ]),
  );
  const bytes = handle.prepare('SELECT page_count * page_size FROM pragma_page_count, pragma_page_size').pluck().get();
  handle.close();
  return { rows, bytes: bytes as number };
}

type Sizes = Awaited<ReturnType<typeof readSizes>>;

function grownTables(before: Sizes, after: Sizes): readonly string[] {
  return [...after.rows].flatMap(([name, count]) => (count > (before.rows.get(name) ?? 0) ? [name] : []));
}

/** Odd and large: its multiples differ in all their bytes, so that they cannot be packed. */
const spread = 0x9e3779b97f4a7c15f39cc0605cedc8341082276bf3a27251f86c6a11d0c18e95n;

function noise(number: number): Hex {
  return numberToHex(BigInt.asUintN(256, BigInt(number) * spread), { size: 32 });
}

/** An operation of a new account with many calls, each of another contract and method. */
function largeOperation(number: number) {
  const hashes = Array.from({ length: calls }, (_, index) => noise(number * calls + index + 1));
  const callData = encodeFunctionData({
    abi: parseAbi(['function executeBatch(address[] dest, uint256[] value, bytes[] func)']),
    args: [hashes.map((hash) => slice(hash, 0, 20)), hashes.map(() => 0n), hashes.map((hash) => slice(hash, 20, 24))],
  });
  return { sender: getAddress(slice(keccak256(callData), 0, 20)), nonce: numberToHex(number, { size: 32 }), callData };
}

/** The example of a method with such an operation, of this chain. */
function send(method: string, number: number) {
  const documented = documentedMethods.find((each) => each.method === method);
  const params: readonly unknown[] = documented?.example ?? [];
  const own = params.map((param) => {
    if (param === example.chainId) return numberToHex(service.devnet.chainId);
    if (param === example.entryPoint) return service.devnet.entryPoints['0.7'];
    const isOperation = typeof param === 'object' && param !== null && 'callData' in param;
    return isOperation ? { ...param, ...largeOperation(number) } : param;
  });
  return callRpc(service.rpcUrl(tenant.apiKey), own, method);
}

test.skipIf(isOnPostgres).each(documentedMethods.map(({ method }) => method))(
  'refused requests of %s leave a decision of at most 1 KB each, and open no other row',
  async (method) => {
    // The first ones open the rows that all of a day share.
    await send(method, 1_000_000);
    await service.managementOf(tenant.authToken).getUsage({ apiKey: tenant.apiKey, by: 'day' });
    const before = await readSizes();
    for (let number = 0; number < requests; number += 1) await send(method, 2_000_000 + number);
    await service.managementOf(tenant.authToken).getUsage({ apiKey: tenant.apiKey, by: 'day' });
    const after = await readSizes();
    expect(grownTables(before, after).filter((table) => table !== 'decisions' && table !== 'passed_blocks')).toEqual(
      [],
    );
    expect((after.bytes - before.bytes) / requests).toBeLessThanOrEqual(mostBytes);
  },
);

test.skipIf(isOnPostgres)('a refused management call leaves nothing, no matter who makes it', async () => {
  const secrets = [{}, { authToken: 'wrong', apiKey: 'wrong' }, tenant.headers];
  const left: string[] = [];
  let refused = 0;
  let before = await readSizes();
  for (const { method, path } of operationList) {
    for (const headers of secrets) {
      const below = path.replaceAll(/:\w+/g, '00000000-0000-4000-8000-000000000001');
      const json = method === 'GET' ? {} : { json: { unknownField: 'x'.repeat(1_000) } };
      const { status } = await callManagement(service, method, below, { headers, ...json });
      const after = await readSizes();
      const grown = grownTables(before, after);
      before = after;
      if (status < 400) continue;
      refused += 1;
      left.push(...grown.filter((table) => table !== 'passed_blocks').map((table) => `${method} ${path}: ${table}`));
    }
  }
  expect(refused).toBeGreaterThan(operationList.length);
  expect(left).toEqual([]);
});

test.skipIf(isOnPostgres)('every table of the database says what bounds its rows', async () => {
  const { rows } = await readSizes();
  expect([...rows.keys()].filter((name) => !name.startsWith('schema_')).toSorted()).toEqual(
    Object.keys(tableBounds).toSorted(),
  );
});
