import { omitAbsent } from '@tollfree/contract/omit-absent';
import { erc20Abi, parseAbi as parseSignatures } from 'viem';
import { describe, expect, test } from 'vitest';
import { maxContracts } from '../../contract/limits.ts';
import type { Owned } from '../../core/domain/access/actor.ts';
import type { SmartContract } from '../../core/domain/smart-contract.ts';
import type { Management } from '../../core/management/create-management.ts';
import { accepted, newPaymaster, refusalOf, startManagement } from '../support/core/start-management.ts';

const checksummed = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const otherAddress = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const invalidAddress = 'INVALID_FIELD: address must be a valid address';
const notFound = 'CONTRACT_NOT_FOUND: Smart contract not found';
const abi = JSON.stringify(erc20Abi);
const overloadedAbi = JSON.stringify([
  { type: 'function', name: 'mint', stateMutability: 'nonpayable', inputs: [{ type: 'uint256' }] },
  { type: 'function', name: 'mint', stateMutability: 'payable', inputs: [] },
  { type: 'function', name: 'total', stateMutability: 'view', inputs: [] },
]);

async function start(options: Parameters<typeof startManagement>[0] = {}) {
  const { management, store } = await startManagement(options);
  const { owned } = await newPaymaster(management);
  const input = { ...owned, name: 'Token', address: checksummed, abi, whitelistedMethods: ['transfer'] };
  return { management, store, owned, input };
}

/** All contracts of a paymaster, page after page. */
async function contractsOf(management: Management, owned: Owned): Promise<readonly SmartContract[]> {
  const all: SmartContract[] = [];
  for (let cursor: string | undefined, isLast = false; !isLast; isLast = cursor === undefined) {
    const page = accepted(await management.listSmartContracts({ ...owned, ...omitAbsent({ cursor }) }));
    all.push(...page.contracts);
    cursor = page.nextCursor;
  }
  return all;
}

describe('a new smart contract', () => {
  test('is answered and listed with its checksummed address, its ABI as sent and its methods', async () => {
    const { management, owned, input } = await start();
    const contract = accepted(await management.registerSmartContract({ ...input, address: checksummed.toLowerCase() }));
    const methods = ['approve', 'transfer', 'transferFrom'];
    const whitelistedMethods = ['transfer'];
    const etag = expect.any(String);
    expect(contract).toEqual({ name: 'Token', address: checksummed, abi, whitelistedMethods, methods, etag });
    expect(await contractsOf(management, owned)).toEqual([contract]);
  });

  test.each([
    [false, true],
    [true, undefined],
    [undefined, undefined],
  ])('whose chain answers %j about its code is registered, and %j is said of it', async (answer, hasNoCode) => {
    const asked: unknown[] = [];
    const hasCode = async (...question: unknown[]) => {
      asked.push(question);
      return answer;
    };
    const { management, owned, input } = await start({ hasCode });
    const contract = accepted(await management.registerSmartContract({ ...input, address: checksummed.toLowerCase() }));
    expect(contract.hasNoCode).toBe(hasNoCode);
    expect(asked).toEqual([[expect.any(Number), checksummed]]);
    // It may be deployed at any time.
    expect((await contractsOf(management, owned)).map(({ hasNoCode: listed }) => listed)).toEqual([undefined]);
  });

  test('names each method once however often it is overloaded', async () => {
    const { management, input } = await start();
    const contract = accepted(
      await management.registerSmartContract({ ...input, abi: overloadedAbi, whitelistedMethods: ['mint'] }),
    );
    expect(contract.methods).toEqual(['mint']);
  });

  test('names its sponsored methods that call what the caller chooses, also after a change', async () => {
    const { management, owned, input } = await start();
    const abiOfNft = JSON.stringify(
      parseSignatures([
        'function safeMint(address to)',
        'function safeTransferFrom(address from, address to, uint256 id)',
        'function approve(address to, uint256 id)',
      ]),
    );
    const mint = 'safeMint(address) calls the receiver (ERC-721)';
    const transfer = 'safeTransferFrom(address,address,uint256) calls the receiver (ERC-721)';
    const registered = accepted(
      await management.registerSmartContract({ ...input, abi: abiOfNft, whitelistedMethods: ['safeMint', 'approve'] }),
    );
    expect(registered.callsBack).toEqual([mint]);
    expect((await contractsOf(management, owned)).map(({ callsBack }) => callsBack)).toEqual([[mint]]);
    const change = async (whitelistedMethods: readonly string[]) =>
      accepted(await management.updateSmartContract({ ...owned, address: checksummed, whitelistedMethods }));
    expect((await change(['safeMint', 'safeTransferFrom'])).callsBack).toEqual([mint, transfer]);
    expect(await change(['approve'])).not.toHaveProperty('callsBack');
  });

  test('whitelists nothing when the whitelist is absent or empty', async () => {
    const { management, owned, input } = await start();
    const { whitelistedMethods: _, ...absent } = input;
    const first = accepted(await management.registerSmartContract(absent));
    const second = { ...absent, name: 'Other', address: otherAddress, whitelistedMethods: [] };
    expect(first.whitelistedMethods).toEqual([]);
    expect(accepted(await management.registerSmartContract(second)).whitelistedMethods).toEqual([]);
    expect(await contractsOf(management, owned)).toHaveLength(2);
  });

  test('has each whitelisted method once', async () => {
    const { management, input } = await start();
    const whitelistedMethods = ['transfer', 'approve', 'transfer'];
    const contract = accepted(await management.registerSmartContract({ ...input, whitelistedMethods }));
    expect(contract.whitelistedMethods).toEqual(['transfer', 'approve']);
  });

  test.each([
    ['lower case', checksummed.toLowerCase()],
    ['upper case', `0x${checksummed.slice(2).toUpperCase()}`],
    ['with its checksum', checksummed],
  ])('may give its address in %s', async (_, address) => {
    const { management, input } = await start();
    expect(accepted(await management.registerSmartContract({ ...input, address })).address).toBe(checksummed);
  });

  test.each([
    ['empty', ''],
    ['without 0x', checksummed.slice(2)],
    ['with 0X', checksummed.toLowerCase().replace('0x', '0X')],
    ['one digit short', checksummed.slice(0, -1)],
    ['one digit long', `${checksummed}0`],
    ['with a letter that is no digit', `${checksummed.slice(0, -1)}g`],
    ['with a wrong checksum', checksummed.replace('5aA', '5AA')],
    ['with a space', ` ${checksummed}`],
    ['with a line feed', `${checksummed}\n`],
    ['zero', `0x${'0'.repeat(40)}`],
    ['a name', 'vitalik.eth'],
  ])('may not give its address %s', async (_, address) => {
    const { management, input } = await start();
    expect(refusalOf(await management.registerSmartContract({ ...input, address }))).toBe(invalidAddress);
  });

  test('has a name and an address of its own within its paymaster', async () => {
    const { management, input } = await start();
    accepted(await management.registerSmartContract(input));
    const register = management.registerSmartContract;
    const nameExists = 'CONTRACT_NAME_EXISTS: Smart contract name already exists';
    const addressExists = 'CONTRACT_ADDRESS_EXISTS: Smart contract address already exists';
    expect(refusalOf(await register(input)), 'both taken').toBe(nameExists);
    expect(refusalOf(await register({ ...input, address: otherAddress }))).toBe(nameExists);
    expect(refusalOf(await register({ ...input, name: 'Other' }))).toBe(addressExists);
    const lowerCase = { ...input, name: 'Other', address: checksummed.toLowerCase() };
    expect(refusalOf(await register(lowerCase)), 'in another case').toBe(addressExists);
    const { owned } = await newPaymaster(management);
    expect((await register({ ...input, ...owned })).ok, 'for another paymaster').toBe(true);
  });

  test('gets its address alone when ten ask for it at once', async () => {
    const { management, owned, input } = await start();
    const results = await Promise.all(
      Array.from({ length: 10 }, (_, index) => management.registerSmartContract({ ...input, name: `Token ${index}` })),
    );
    const refusals = results.filter(({ ok }) => !ok).map(refusalOf);
    expect(refusals).toHaveLength(9);
    expect(new Set(refusals)).toEqual(new Set(['CONTRACT_ADDRESS_EXISTS: Smart contract address already exists']));
    expect(await contractsOf(management, owned)).toHaveLength(1);
  });
});

describe('fields', () => {
  test('are refused in the order of the interface, before what is registered is looked at', async () => {
    const { management, input } = await start();
    accepted(await management.registerSmartContract(input));
    const bad = { ...input, name: '', address: '', abi: '', whitelistedMethods: ['nope'] };
    const refusals = [
      refusalOf(await management.registerSmartContract(bad)),
      refusalOf(await management.registerSmartContract({ ...bad, name: input.name })),
      refusalOf(await management.registerSmartContract({ ...bad, name: input.name, address: input.address })),
      refusalOf(await management.registerSmartContract({ ...input, whitelistedMethods: ['nope'] })),
    ];
    expect(refusals).toEqual([
      'INVALID_FIELD: name must be a string of 1 to 100 printable characters',
      invalidAddress,
      'INVALID_FIELD: abi must be a valid JSON ABI',
      'METHODS_NOT_IN_ABI: whitelistedMethods has methods that are not in the ABI: nope',
    ]);
  });

  test('a whitelist names state-changing methods of the ABI only, and all others are named', async () => {
    const { management, input } = await start();
    const whitelistedMethods = ['transfer', 'balanceOf', 'nope', 'transfer(address)', 'Transfer', '', 'constructor'];
    expect(refusalOf(await management.registerSmartContract({ ...input, whitelistedMethods }))).toBe(
      'METHODS_NOT_IN_ABI: whitelistedMethods has methods that are not in the ABI: ' +
        'balanceOf, nope, transfer(address), Transfer, , constructor',
    );
  });

  test('an error repeats no more than 20 methods of the caller, each cut to 128 characters', async () => {
    const { management, input } = await start();
    const whitelistedMethods = Array.from({ length: 5_000 }, (_, index) => `${index}-${'x'.repeat(1_000)}`);
    expect(refusalOf(await management.registerSmartContract({ ...input, whitelistedMethods })).length).toBeLessThan(
      3_000,
    );
  });
});

describe('an update', () => {
  test('replaces the whitelist and answers the whole contract', async () => {
    const { management, owned, input } = await start();
    accepted(await management.registerSmartContract(input));
    const whitelistedMethods = ['approve', 'transferFrom(address,address,uint256)'];
    const address = checksummed.toLowerCase();
    const updated = accepted(await management.updateSmartContract({ ...owned, address, whitelistedMethods }));
    const methods = ['approve', 'transfer', 'transferFrom'];
    const etag = expect.any(String);
    expect(updated).toEqual({ name: 'Token', address: checksummed, abi, whitelistedMethods, methods, etag });
    expect(await contractsOf(management, owned)).toEqual([updated]);
  });

  test('with a method that is not in the ABI changes nothing', async () => {
    const { management, owned, input } = await start();
    const before = accepted(await management.registerSmartContract(input));
    const update = { ...owned, address: checksummed, whitelistedMethods: ['approve', 'nope'] };
    expect(refusalOf(await management.updateSmartContract(update))).toBe(
      'METHODS_NOT_IN_ABI: whitelistedMethods has methods that are not in the ABI: nope',
    );
    expect(await contractsOf(management, owned)).toEqual([before]);
  });

  test('of an address that is not registered finds nothing, whatever it whitelists', async () => {
    const { management, owned } = await start();
    const update = { ...owned, address: otherAddress, whitelistedMethods: ['nope'] };
    expect(refusalOf(await management.updateSmartContract(update))).toBe(notFound);
    expect(refusalOf(await management.updateSmartContract({ ...update, address: 'nope' }))).toBe(invalidAddress);
  });
});

describe('a deletion', () => {
  test('frees name and address', async () => {
    const { management, owned, input } = await start();
    const contract = accepted(await management.registerSmartContract(input));
    expect(accepted(await management.deleteSmartContract({ ...owned, address: checksummed.toLowerCase() }))).toEqual(
      contract,
    );
    expect(await contractsOf(management, owned)).toEqual([]);
    expect(accepted(await management.registerSmartContract(input))).toEqual(contract);
  });

  test('of an address that is not registered finds nothing', async () => {
    const { management, owned } = await start();
    expect(refusalOf(await management.deleteSmartContract({ ...owned, address: otherAddress }))).toBe(notFound);
    expect(refusalOf(await management.deleteSmartContract({ ...owned, address: 'nope' }))).toBe(invalidAddress);
  });
});

describe('limits of a paymaster', () => {
  test('1,000 contracts, also when the last two come at once', async () => {
    const { management, store, owned } = await start();
    const addressOf = (index: number) => `0x${(index + 1).toString(16).padStart(40, '0')}`;
    const register = (index: number) =>
      management.registerSmartContract({ ...owned, name: `Contract ${index}`, address: addressOf(index), abi: '[]' });
    accepted(await register(0));
    const { contract_number: _, ...first } = await store.db
      .selectFrom('contracts')
      .selectAll()
      .executeTakeFirstOrThrow();
    const others = Array.from({ length: maxContracts - 2 }, (_, index) => index + 1);
    await store.db
      .insertInto('contracts')
      .values(others.map((index) => ({ ...first, name: `Contract ${index}`, address: addressOf(index) })))
      .execute();
    const last = await Promise.all([register(999), register(1_000)]);
    expect(last.map(({ ok }) => ok)).toEqual([true, false]);
    expect(refusalOf(await register(1_001))).toBe(
      'TOO_MANY_CONTRACTS: A paymaster can have at most 1000 smart contracts',
    );
    expect(await contractsOf(management, owned)).toHaveLength(1_000);
  });

  test('16 MiB of ABIs together', async () => {
    const { management, owned } = await start();
    const wide = `[${' '.repeat(512 * 1024 - 2)}]`;
    const register = (index: number, text: string) =>
      management.registerSmartContract({
        ...owned,
        name: `Contract ${index}`,
        address: `0x${(index + 1).toString(16).padStart(40, '0')}`,
        abi: text,
      });
    for (let index = 0; index < 32; index++) accepted(await register(index, wide));
    expect(refusalOf(await register(32, '[]'))).toBe(
      'TOO_MANY_CONTRACTS: The ABIs of a paymaster can have at most 16777216 bytes together',
    );
    expect(accepted(await management.listSmartContracts(owned)).contracts).toHaveLength(1);
    const listed = (await contractsOf(management, owned)).map(({ name }) => name);
    expect(listed).toEqual(Array.from({ length: 32 }, (_, index) => `Contract ${index}`));
  });

  test.each(['', '0', '-1', 'next'])('lists nothing from a cursor that no page has: %j', async (cursor) => {
    const { management, owned } = await start();
    expect(refusalOf(await management.listSmartContracts({ ...owned, cursor }))).toBe(
      'INVALID_FIELD: cursor must be the nextCursor of an answer',
    );
  });
});
