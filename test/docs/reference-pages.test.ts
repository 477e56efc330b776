import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { limitKinds } from '../../contract/rpc/limit-kinds.ts';
import { knownAccounts } from '../../core/evm/account-codes/known-accounts.ts';
import { paymasterContractFamilies } from '../../core/evm/paymaster-contracts/families.ts';
import { fillingCall } from '../../core/evm/paymaster-contracts/filling-call.ts';
import { root } from '../../tools/prose/find-markdown-files.ts';

const prefix = '/api/v2/public/sdk';

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** The names that a page does not have between backticks. */
function missingIn(page: string, names: Iterable<string>): readonly string[] {
  const text = read(page);
  return [...names].filter((name) => !text.includes(`\`${name}\``));
}

type Schema = { properties: Record<string, { items?: { enum: string[] } }> };
type Operation = { requestBody: { content: { 'application/json': { schema: Schema } } } };
type Document = { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, unknown> } };

const { paths, components }: Document = JSON.parse(read('contract/openapi.json'));

/** The fields of a request's body. */
function fieldsOf(path: string, method: string): Schema['properties'] {
  return paths[path]?.[method]?.requestBody.content['application/json'].schema.properties ?? {};
}

test('the page about the RPC endpoint names every method and kind of limit', () => {
  const methods = JSON.stringify(components.schemas.RpcRequest).match(/\b(pm|pimlico)_\w+/g) ?? [];
  expect(methods.length).toBeGreaterThan(0);
  expect(missingIn('docs/reference/rpc.md', methods)).toEqual([]);
  expect(missingIn('docs/reference/rpc.md', limitKinds)).toEqual([]);
});

test('the pages name every path of the management interface', () => {
  const managed = Object.keys(paths).filter((path) => path.startsWith(prefix));
  expect(
    missingIn(
      'docs/reference/management.md',
      managed.map((path) => path.slice(prefix.length)),
    ),
  ).toEqual([]);
});

test('the pages name every field of a policy and every notification', () => {
  const policy = Object.keys(fieldsOf(`${prefix}/policy`, 'put'));
  expect(policy.length).toBeGreaterThan(0);
  expect(missingIn('docs/reference/policies.md', policy)).toEqual([]);
  const events = fieldsOf(`${prefix}/notification`, 'post').events?.items?.enum ?? [];
  expect(events.length).toBeGreaterThan(0);
  expect(missingIn('docs/notifications.md', events)).toEqual([]);
});

test('the page about gas tanks says for every family which call fills one', () => {
  const rows = read('docs/gas-tank.md').split('\n');
  const zero = '0x0000000000000000000000000000000000000000';
  const missing = [...paymasterContractFamilies.values()].filter(({ name, customerFunding }) => {
    const { call, from } = fillingCall({ chainId: 1, address: zero, entryPoint: zero }, zero, customerFunding);
    const [row, ...others] = rows.filter(
      (line) => line.startsWith('|') && line.split(' | ')[0]?.includes(`\`${name}\``),
    );
    const sender = from === 'anybody' ? '| anybody |' : '| the funding wallet itself';
    return others.length > 0 || !row?.includes(`\`${call.split('(')[0]}(`) || !row.includes(sender);
  });
  expect(missing.map(({ name }) => name)).toEqual([]);
});

test('the page about accounts names every kind whose code is known', () => {
  const page = read('docs/reference/known-accounts.md');
  const kinds = knownAccounts.map(({ name }) => name.replace(/ [\d.]+$/, ''));
  expect(kinds.filter((kind) => !page.includes(`| ${kind} `))).toEqual([]);
});
