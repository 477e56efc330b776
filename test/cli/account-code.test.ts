import { lstatSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Address, concat, type Hex, keccak256, pad, parseEther } from 'viem';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { implementationSlot } from '../../core/evm/account-codes/find-in-catalogue.ts';
import { loadConfig } from '../../server/config/load-config.ts';
import { newSmartAccount, nextOperation, targetCall } from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import { runInProcess } from '../support/command-line/run-in-process.ts';
import { scrape, sumOf } from '../support/metrics/scrape.ts';
import { askSponsorship, sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import { fundedTank, type ProductionTank } from '../support/service/production-tank.ts';
import { useProductionService } from '../support/service/use-production-service.ts';

const service = useProductionService();
const account = newSmartAccount('0.7');
const infinitism = ['--reads-like', 'INFINITISM 1.0.0'];

let tank: ProductionTank;
let sender: Address;
/** The published implementation with a byte behind it that no one runs: another code. */
let ownImplementation: Address;

beforeAll(async () => {
  const { devnet } = service();
  tank = await fundedTank(service(), { family: '0.7', amount: parseEther('2') });
  const first = await nextOperation(devnet, account, [targetCall(devnet, 'increment')]);
  const operation = withAnswer(first, await sponsor(tank.rpcUrl, first));
  expect(await land(devnet, account, operation)).toMatchObject({ success: true });
  sender = operation.sender;
  const word = await devnet.client.getStorageAt({ address: sender, slot: implementationSlot });
  const published = await devnet.client.getCode({ address: `0x${word?.slice(-40)}` });
  ownImplementation = `0x${'0a'.repeat(20)}`;
  await devnet.client.setCode({ address: ownImplementation, bytecode: concat([published ?? '0x', '0x00']) });
  await devnet.client.setStorageAt({ address: sender, index: implementationSlot, value: pad(ownImplementation) });
});

function accountCode(...args: readonly string[]) {
  return runInProcess('account-code', ...args, '--config', service().configFile);
}

const configured = () => loadConfig({ config: service().configFile }, {}).chains?.[0]?.accounts;
const hashOf = async (address: Address): Promise<Hex> =>
  keccak256((await service().devnet.client.getCode({ address })) ?? '0x');

async function ask() {
  const { devnet } = service();
  const operation = await nextOperation(devnet, account, [targetCall(devnet, 'increment')]);
  return { operation, answer: await askSponsorship(tank.rpcUrl, operation) };
}

describe('account code that is not known', () => {
  test('is refused with the command that makes it known', async () => {
    const { answer } = await ask();
    expect(answer).toMatchObject({ httpStatus: 422, reason: 'ACCOUNT_NOT_KNOWN' });
    expect(answer.message).toContain(await hashOf(ownImplementation));
  });

  test('is shown, and is added only after a yes', async () => {
    const before = readFileSync(service().configFile, 'utf8');
    for (const args of [[], ['--json']]) {
      const { code, stdout, stderr } = await accountCode('add', sender, ...infinitism, ...args);
      expect({ code, stderr }).toMatchObject({ code: 0 });
      expect(stdout + stderr).toContain(await hashOf(ownImplementation));
      expect(stdout + stderr).toContain('known: only delegates');
      if (args.length === 0) expect(stderr).toContain('Nothing was added. Add it with --yes.');
      else expect(JSON.parse(stdout)).toMatchObject({ added: false });
    }
    expect(readFileSync(service().configFile, 'utf8')).toBe(before);
    expect((await ask()).answer).toMatchObject({ reason: 'ACCOUNT_NOT_KNOWN' });
  });

  test('is not added under a name whose calls no one can read', async () => {
    for (const args of [[], ['--reads-like', 'OTHER 1.0.0'], ['--reads-like', 'INFINITISM']]) {
      const refused = await accountCode('add', sender, ...args, '--yes');
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('--reads-like "NAME VERSION"') });
    }
    expect(configured()).toBeUndefined();
  });

  test('is sponsored after a yes, and refused again once it is removed, without a restart', async () => {
    const added = await accountCode('add', sender, ...infinitism, '--yes', '--json');
    expect(added.stderr).toContain('Nothing verifies what this code does');
    const codeHash = await hashOf(ownImplementation);
    expect(JSON.parse(added.stdout)).toMatchObject({
      added: true,
      entries: { implementations: [{ name: 'INFINITISM', version: '1.0.0', codeHash }] },
    });
    expect(configured()?.implementations).toEqual([{ name: 'INFINITISM', version: '1.0.0', codeHash }]);
    const operation = await vi.waitFor(
      async () => {
        const { operation, answer } = await ask();
        expect(answer).toMatchObject({ httpStatus: 200 });
        return operation;
      },
      { timeout: 20_000, interval: 200 },
    );
    const signed = withAnswer(operation, await sponsor(tank.rpcUrl, operation));
    expect(await land(service().devnet, account, signed)).toMatchObject({ success: true });
    const counted = sumOf(await scrape(service().adminUrl), 'tollfree_added_account_codes', {});
    expect(counted).toBe(1);

    const listed = await accountCode('list', '--json');
    expect(JSON.parse(listed.stdout)).toMatchObject([{ list: 'implementations', codeHash }]);
    const again = await accountCode('add', sender, '--yes', '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({ added: false, entries: {} });

    const shown = await accountCode('remove', codeHash, '--json');
    expect(JSON.parse(shown.stdout)).toMatchObject({ removed: false });
    expect(configured()?.implementations).toHaveLength(1);
    expect(await accountCode('remove', codeHash, '--yes')).toMatchObject({ code: 0 });
    expect(configured()?.implementations).toEqual([]);
    await vi.waitFor(async () => expect((await ask()).answer).toMatchObject({ reason: 'ACCOUNT_NOT_KNOWN' }), {
      timeout: 20_000,
      interval: 200,
    });
  });

  test('is written past a link, with the rights that the file had, and its comments stay', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tollfree-linked-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const [file, link] = [join(folder, 'real.json'), join(folder, 'tollfree.json')];
    const text = readFileSync(service().configFile, 'utf8');
    writeFileSync(file, `// A comment.\n${text}`, { mode: 0o640 });
    symlinkSync(file, link);
    const added = await runInProcess('account-code', 'add', sender, ...infinitism, '--yes', '--config', link);
    expect(added).toMatchObject({ code: 0 });
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(readFileSync(file, 'utf8')).toMatch(/^\/\/ A comment\./);
    expect(loadConfig({ config: link }, {}).chains?.[0]?.accounts?.implementations).toHaveLength(1);
  });

  test('stays unknown while the file is one that cannot be read', async () => {
    const text = readFileSync(service().configFile, 'utf8');
    const accounts = { implementations: [{ name: 'INFINITISM', version: '1.0.0', codeHash: await hashOf(sender) }] };
    const changed = JSON.parse(text) as { chains: object[] };
    changed.chains = changed.chains.map((chain) => ({ ...chain, accounts, notKnown: true }));
    writeFileSync(service().configFile, JSON.stringify(changed));
    const refused = await accountCode('add', sender, ...infinitism, '--yes');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('notKnown') });
    writeFileSync(service().configFile, text);
    expect((await ask()).answer).toMatchObject({ reason: 'ACCOUNT_NOT_KNOWN' });
  });
});

describe('what an address is', () => {
  const at = async (last: string, bytecode: Hex, implementation?: Address): Promise<Address> => {
    const address: Address = `0x${last.padStart(40, '0b')}`;
    const { client } = service().devnet;
    await client.setCode({ address, bytecode });
    if (implementation !== undefined) {
      await client.setStorageAt({ address, index: implementationSlot, value: pad(implementation) });
    }
    return address;
  };
  const found = async (address: Address, ...args: readonly string[]) => {
    const { code, stdout, stderr } = await accountCode('add', address, '--json', ...args);
    return code === 0 ? JSON.parse(stdout) : stderr;
  };

  test('a published factory and implementation are known already', async () => {
    const { devnet } = service();
    const factory = await found(devnet.accountFactories['0.8']);
    expect(factory).toMatchObject({ added: false, found: [{ what: 'known: a factory of SimpleAccount 0.8' }] });
    const delegate = await found(devnet.simple7702Account);
    expect(delegate).toMatchObject({ found: [{ what: expect.stringContaining('known: Simple7702Account') }] });
  });

  test('an unknown proxy is named next to the unknown implementation behind it', async () => {
    const proxy = await at('01', '0x60016002', ownImplementation);
    const { entries } = await found(proxy, ...infinitism);
    expect(entries).toEqual({
      proxies: [{ codeHash: await hashOf(proxy) }],
      implementations: [{ name: 'INFINITISM', version: '1.0.0', codeHash: await hashOf(ownImplementation) }],
    });
  });

  test('minimal proxies and EIP-7702 delegations are followed', async () => {
    const inner = ownImplementation.slice(2);
    const minimal = await at('02', `0x363d3d373d3d3d363d73${inner}5af43d82803e903d91602b57fd5bf3`);
    const delegating = await at('03', `0xef0100${inner}`);
    for (const address of [minimal, delegating]) {
      expect(await found(address, ...infinitism)).toMatchObject({
        found: [{ what: 'known: only delegates' }, { what: 'unknown', list: 'implementations' }],
      });
    }
  });

  test('code that is no account by its looks has to be called a factory or an implementation', async () => {
    const unclear = await at('04', '0x60036004');
    expect(await found(unclear, ...infinitism)).toContain(
      '--used-as implementation, --used-as factory or --used-as helper',
    );
    const { entries } = await found(unclear, ...infinitism, '--used-as', 'factory');
    expect(entries).toEqual({ factories: [{ name: 'INFINITISM', version: '1.0.0', codeHash: await hashOf(unclear) }] });
    expect(await found(unclear, '--used-as', 'helper')).toMatchObject({
      entries: { helpers: [{ codeHash: await hashOf(unclear) }] },
    });
    expect(await found(unclear, ...infinitism, '--used-as', 'proxy')).toContain('--used-as must be');
  });

  test('an address without code, a proxy of nothing and a circle of proxies are named as such', async () => {
    expect(await found(`0x${'0c'.repeat(20)}`)).toContain('There is no code at');
    const circle: Address = `0x${'05'.padStart(40, '0b')}`;
    await at('05', `0xef0100${circle.slice(2)}`);
    expect(await found(circle)).toContain('delegates through more than');
  });
});
