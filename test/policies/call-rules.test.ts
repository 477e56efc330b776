import fc from 'fast-check';
import {
  type Abi,
  type AbiParameter,
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  parseAbi as parseSignatures,
} from 'viem';
import { describe, expect, test } from 'vitest';
import type { CallCondition, CallRule } from '../../core/domain/policy.ts';
import { parseAbi } from '../../core/evm/abi/parse-abi.ts';
import { methodArguments } from '../../core/evm/abi/read-call-arguments.ts';
import { type RuledContract, readCallRules } from '../../core/policies/call-rules/call-rules.ts';
import { maxComparisons, ruleOnArguments } from '../../core/policies/rules/rule-on-arguments.ts';
import { accepted } from '../support/core/start-management.ts';
import { type Leaf, methodAndArguments, type ShapePath, someAddress } from './abi-shapes.ts';

const router: Address = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const sender: Address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const bob: Address = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';

/** Its methods as they are read of a registered ABI. */
function contractOf(abi: Abi): RuledContract {
  const text = JSON.stringify(abi);
  const methods = accepted(parseAbi(text));
  return { methods, parametersOf: methodArguments(text, methods) };
}

function rulesOf(abi: Abi, rules: readonly Omit<CallRule, 'contract'>[]) {
  return readCallRules(
    rules.map((rule) => ({ contract: router, ...rule })),
    new Map([[router.toLowerCase(), contractOf(abi)]]),
  );
}

type Sent = { readonly data: Hex; readonly value?: bigint; readonly from?: Address; readonly target?: Address };

function refusalOf(
  abi: Abi,
  rules: readonly Omit<CallRule, 'contract'>[],
  { data, value = 0n, from = sender, target = router }: Sent,
) {
  const { rules: read, problems } = rulesOf(abi, rules);
  expect(problems).toEqual([]);
  const selector = data === '0x' ? {} : { selector: data.slice(0, 10) as Hex };
  return ruleOnArguments(read, [{ target, ...selector, content: { value, data } }], from)[0]?.refusal;
}

const conditionOf = ({
  type,
  values,
}: Leaf): fc.Arbitrary<{ operator: keyof Omit<CallCondition, 'argument'>; operands: readonly unknown[] }> =>
  fc.record({
    operator: /^u?int/.test(type)
      ? fc.constantFrom('is', 'isNot', 'atLeast', 'atMost', 'in')
      : fc.constantFrom('is', 'isNot', 'in'),
    operands: fc.array(values, { minLength: 1, maxLength: 3 }),
  });

/** What the condition says of values as they were made: nothing here has been encoded or decoded. */
function holds(operator: string, operands: readonly unknown[], value: unknown): boolean {
  const [first] = operands;
  switch (operator) {
    case 'is':
      return value === first;
    case 'isNot':
      return value !== first;
    case 'atLeast':
      return (value as bigint) >= (first as bigint);
    case 'atMost':
      return (value as bigint) <= (first as bigint);
    default:
      return operands.includes(value);
  }
}

const pathAndCondition = methodAndArguments.chain(({ shape, values }) =>
  fc.constantFrom<ShapePath[]>(...shape.paths).chain((path) =>
    fc.record({
      shape: fc.constant(shape),
      values: fc.constant(values),
      path: fc.constant(path),
      from: someAddress,
      condition: conditionOf(path.leaf),
      /** Half of the operands are values that are there. */
      isPicked: fc.boolean(),
      saysSender: fc.boolean(),
    }),
  ),
);

test('a condition on any argument of any method lets through what fulfils it, and nothing else', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(pathAndCondition, ({ shape, values, path, from, condition, isPicked, saysSender }) => {
      const inputs = 'components' in shape.parameter ? (shape.parameter.components as readonly AbiParameter[]) : [];
      const abi = [{ type: 'function', name: 'act', inputs, outputs: [], stateMutability: 'payable' }] as const;
      const picked = path.pick(values);
      const { operator } = condition;
      const operands = isPicked && picked.length > 0 ? [picked[0], ...condition.operands.slice(1)] : condition.operands;
      const textOf = (operand: unknown) =>
        saysSender && path.leaf.type === 'address' && operand === from ? 'msg.sender' : String(operand);
      const texts = operands.map(textOf);
      const where = { argument: path.text.slice(1), [operator]: operator === 'in' ? texts : texts[0] };
      const [method] = contractOf(abi).methods;
      const data: Hex = `${method?.selector ?? '0x'}${encodeAbiParameters(inputs, values).slice(2)}`;
      const isAllowed = picked.every((value) => holds(operator, operands, value));
      seen.add(`${operator} ${isAllowed}`);
      const refusal = refusalOf(abi, [{ method: 'act', where: [where] }], { data, from });
      expect(refusal?.reason).toBe(isAllowed ? undefined : 'ARGUMENT_NOT_ALLOWED');
    }),
    { numRuns: 1_000 },
  );
  expect(seen.size).toBe(10);
});

const swap = parseSignatures([
  'struct Hop { bytes4 kind; string note; }',
  'struct Params { address recipient; uint256 amountIn; uint24[] fees; Hop[] hops; }',
  'function swap(Params params, bool exact) payable',
  'function pay(address to, uint8 amount)',
  'function pay(address to)',
  'function skim()',
  'function look() view',
]);
const params = {
  recipient: sender,
  amountIn: 5n,
  fees: [500, 3_000],
  hops: [{ kind: '0x11223344', note: 'a' }],
} as const;
const swapData = (changes: Partial<typeof params> | { recipient: Address } | { fees: readonly number[] } = {}) =>
  encodeFunctionData({ abi: swap, functionName: 'swap', args: [{ ...params, ...changes }, true] });
const method = 'swap';
const own: CallCondition = { argument: 'params.recipient', is: 'msg.sender' };

describe('a call', () => {
  test('to someone else is refused with who it was and who is allowed, to the account itself it is not', () => {
    const rules = [{ method, where: [own] }];
    expect(refusalOf(swap, rules, { data: swapData() })).toBeUndefined();
    const refusal = refusalOf(swap, rules, { data: swapData({ recipient: bob }) });
    expect(refusal).toMatchObject({
      reason: 'ARGUMENT_NOT_ALLOWED',
      details: { target: router, argument: 'params.recipient', found: bob.toLowerCase(), allowed: 'msg.sender' },
    });
    for (const part of [router, 'swap(', 'params.recipient', bob.toLowerCase(), 'msg.sender'])
      expect(refusal?.message).toContain(part);
  });

  test('has to fulfil every condition of a rule', () => {
    const rules = [{ method, where: [own, { argument: '0.1', atMost: '5' }, { argument: 'exact', is: 'true' }] }];
    expect(refusalOf(swap, rules, { data: swapData() })).toBeUndefined();
    const [first, , last] = [...(rules[0]?.where ?? [])];
    for (const where of [
      [{ argument: '0.1', atMost: '4' }],
      [first, { argument: 'exact', is: 'false' }],
      [last, { argument: '0.amountIn', atLeast: '6' }],
    ])
      expect(refusalOf(swap, [{ method, where: where as CallCondition[] }], { data: swapData() })).toBeDefined();
  });

  test('may fulfil any one of the rules of its method, and a refusal names what each of them wants', () => {
    const rules = [
      { method, where: [{ argument: 'params.amountIn', is: '7' }] },
      { method: 'swap((address,uint256,uint24[],(bytes4,string)[]),bool)', where: [own] },
    ];
    expect(refusalOf(swap, rules, { data: swapData() })).toBeUndefined();
    const data = swapData({ recipient: bob });
    expect(refusalOf(swap, rules, { data })?.message).toMatch(
      /amountIn is 5, but must be 7.*recipient is 0x.*msg\.sender/,
    );
    const call = { target: router, selector: data.slice(0, 10) as Hex, content: { value: 0n, data } };
    expect(ruleOnArguments(rulesOf(swap, rules).rules, [call], sender)[0]?.finding).toEqual([
      'call-arguments-refused',
      `params.amountIn of 5, params.recipient of ${bob.toLowerCase()}`,
      'swap((address,uint256,uint24[],(bytes4,string)[]),bool)',
      router,
      'params.amountIn: 7; or params.recipient: msg.sender',
    ]);
  });

  test('fulfils a condition on every element of a list, and on none where it is empty', () => {
    const rules = [{ method, where: [{ argument: 'params.fees[]', in: ['500', '0xbb8'] }] }];
    expect(refusalOf(swap, rules, { data: swapData() })).toBeUndefined();
    expect(refusalOf(swap, rules, { data: swapData({ fees: [] }) })).toBeUndefined();
    expect(refusalOf(swap, rules, { data: swapData({ fees: [500, 501] }) })?.details).toMatchObject({ found: '501' });
  });

  test('may be bound in the coin that it sends', () => {
    const rules = [{ method, where: [{ argument: 'msg.value', atMost: '10' }] }];
    expect(refusalOf(swap, rules, { data: swapData(), value: 10n })).toBeUndefined();
    expect(refusalOf(swap, rules, { data: swapData(), value: 11n })?.details).toMatchObject({ found: '11' });
  });

  test('of a method without rules, of another contract, or without data goes by the whitelist alone', () => {
    const rules = [{ method, where: [{ argument: 'exact', is: 'false' }] }];
    expect(refusalOf(swap, rules, { data: swapData() })).toBeDefined();
    expect(refusalOf(swap, rules, { data: swapData(), target: bob })).toBeUndefined();
    const skim = encodeFunctionData({ abi: swap, functionName: 'skim' });
    expect(refusalOf(swap, rules, { data: skim })).toBeUndefined();
    expect(refusalOf(swap, rules, { data: '0x' })).toBeUndefined();
  });

  test('whose arguments are not encoded in the one way is refused, even where only its coin is bound', () => {
    const rules = [{ method, where: [{ argument: 'msg.value', is: '0' }] }];
    expect(refusalOf(swap, rules, { data: `${swapData()}00` })?.message).toContain('canonical');
    const call = { target: router, selector: swapData().slice(0, 10) as Hex };
    const found = (data: Hex) =>
      ruleOnArguments(rulesOf(swap, rules).rules, [{ ...call, content: { value: 0n, data } }], sender)[0]?.finding;
    expect(found(`${swapData()}00`)).toEqual(['call-not-canonical', expect.stringMatching(/^swap\(/), router]);
    expect(found(swapData())).toEqual(['call-arguments', 1, 1]);
    expect(ruleOnArguments(new Map(), [], sender)).toEqual([]);
    expect(refusalOf(swap, rules, { data: swapData().slice(0, -64) as Hex })?.reason).toBe('ARGUMENT_NOT_ALLOWED');
  });

  test('is refused with its text quoted and shortened', () => {
    const hops = (note: string) => ({ hops: [{ kind: '0x11223344', note }] }) as object;
    const rules = [{ method, where: [{ argument: 'params.hops[].note', is: 'a' }] }];
    const found = (note: string) => refusalOf(swap, rules, { data: swapData(hops(note)) })?.details?.found;
    expect(found('b \u202e"\n')).toBe('"b ?\\"?"');
    expect(found('z0x12')).toBe('"z0x12"');
    expect(found('c'.repeat(10_000))?.length).toBeLessThanOrEqual(100);
    expect(refusalOf(swap, rules, { data: swapData(hops('b')) })?.details?.allowed).toBe('"a"');
  });

  test('has msg.sender in a text only as a text', () => {
    const hops = (note: string) => ({ hops: [{ kind: '0x11223344', note }] }) as object;
    const rules = [{ method, where: [{ argument: 'params.hops[].note', is: 'msg.sender' }] }];
    expect(refusalOf(swap, rules, { data: swapData(hops('msg.sender')) })).toBeUndefined();
    expect(refusalOf(swap, rules, { data: swapData(hops(sender.toLowerCase())) })).toBeDefined();
  });
});

describe('a rule is refused with its field and what would be right', () => {
  test.each<[string, Omit<CallRule, 'contract'>]>([
    ['method must be a state-changing method of the registered ABI: swap, pay, skim', { method: 'look', where: [own] }],
    [
      'method must be the signature of one of its overloads: pay(address,uint8), pay(address)',
      { method: 'pay', where: [{ argument: '0', is: bob }] },
    ],
    [
      'where[0].argument must be one of params, exact',
      { method, where: [{ argument: 'recipient', is: 'msg.sender' }] },
    ],
    ['where[1].argument must be a position below 2', { method, where: [own, { argument: '2', is: '1' }] }],
    [
      'where[0].argument must continue after the tuple with one of recipient, amountIn, fees, hops',
      { method, where: [{ argument: 'params', is: '1' }] },
    ],
    [
      'where[0].argument must have [] after each list, for every element of it',
      { method, where: [{ argument: 'params.fees', is: '1' }] },
    ],
    ['where[0].argument must have [] only after lists', { method, where: [{ argument: 'params.fees[][]', is: '1' }] }],
    [
      'where[0].argument must end at a value, and continues after one',
      { method, where: [{ argument: 'exact.0', is: '1' }] },
    ],
    [
      'where[0].argument must be names or positions with points between them, like params.amount',
      { method, where: [{ argument: 'params..fees[]', is: '1' }] },
    ],
    [
      'where[0].is must be a valid address or msg.sender',
      { method, where: [{ argument: '0.0', is: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed' }] },
    ],
    ['where[0].in[1] must be a valid address or msg.sender', { method, where: [{ argument: '0.0', in: [bob, 'me'] }] }],
    [
      'where[0].atMost compares numbers, but the argument is address: use is, isNot or in',
      { method, where: [{ argument: '0.0', atMost: '5' }] },
    ],
    [
      'where[0].atMost must be a whole number of uint24, decimal or 0x, from 0 to 2^24 - 1',
      { method, where: [{ argument: '0.2[]', atMost: '16777216' }] },
    ],
    [
      'where[0].is must be a whole number of uint256, decimal or 0x, from 0 to 2^256 - 1',
      { method, where: [{ argument: 'msg.value', is: '1.5' }] },
    ],
    ['where[0].isNot must be true or false', { method, where: [{ argument: 'exact', isNot: '1' }] }],
    ['where[0].is must be 0x and 8 hex digits', { method, where: [{ argument: '0.3[].kind', is: '0x1122' }] }],
  ])('%s', (problem, rule) => {
    expect(rulesOf(swap, [rule]).problems.map(({ field, requirement }) => `${field} ${requirement}`)).toEqual([
      `callRules[0].${problem}`,
    ]);
  });

  test.each([
    ['bytes', { is: '0x1' }, 'is must be 0x and pairs of hex digits'],
    ['bytes4', { atLeast: '1' }, 'atLeast compares numbers, but the argument is bytes4: use is, isNot or in'],
    ['int8', { is: '128' }, 'is must be a whole number of int8, decimal or 0x, from -2^7 to 2^7 - 1'],
    ['string', { is: '\ud800' }, 'is must be text of whole characters'],
  ])('a condition on an argument of type %s: %j', (type, condition, problem) => {
    const inputs = [{ name: 'a', type }];
    const abi = [{ type: 'function', name: 'act', inputs, outputs: [], stateMutability: 'payable' }] as const;
    const { problems } = rulesOf(abi, [{ method: 'act', where: [{ argument: 'a', ...condition }] }]);
    expect(problems.map(({ field, requirement }) => `${field} ${requirement}`)).toEqual([
      `callRules[0].where[0].${problem}`,
    ]);
  });

  test('a method whose arguments cannot be read is refused with its signature, shortened', () => {
    const inputs = Array.from({ length: 30 }, () => ({ type: 'uint256' }));
    const signature = `act(${inputs.map(({ type }) => type).join(',')})`;
    const { methods } = contractOf([
      { type: 'function', name: 'act', inputs, outputs: [], stateMutability: 'payable' },
    ]);
    const contract = { methods, parametersOf: () => 'has types that no compiler encodes' };
    const rule = { contract: router, method: 'act', where: [{ argument: '0', is: '1' }] };
    const { rules, problems } = readCallRules([rule], new Map([[router.toLowerCase(), contract]]));
    const requirement = `must be a method whose arguments can be read, and ${signature.slice(0, 127)}… has types that no compiler encodes`;
    expect(problems).toEqual([{ field: 'callRules[0].method', requirement, contract: router }]);
    expect(rules.get(router.toLowerCase())?.broken).toBe(`callRules[0].method ${requirement}`);
  });

  test.each([
    [128, 'a'.repeat(128)],
    [129, `${'a'.repeat(127)}…`],
  ])('a method with a name of %i characters is listed as at most 128', (length, listed) => {
    const abi = parseSignatures([`function ${'a'.repeat(length)}()`]);
    const requirement = rulesOf(abi, [{ method: 'look', where: [own] }]).problems[0]?.requirement;
    expect(requirement).toBe(`must be a state-changing method of the registered ABI: ${listed}`);
  });

  test('a contract without state-changing methods has none to name', () => {
    const rules = [{ method: 'look', where: [own] }];
    expect(rulesOf(parseSignatures(['function look() view']), rules).problems[0]?.requirement).toBe(
      'must be a state-changing method of the registered ABI: it has none',
    );
  });

  test('two arguments with one name are told apart by position', () => {
    const inputs = [
      { name: 'a', type: 'bool' },
      { name: 'a', type: 'bool' },
    ] as const;
    const abi = [{ type: 'function', name: 'act', inputs, outputs: [], stateMutability: 'payable' }] as const;
    const problems = (argument: string) =>
      rulesOf(abi, [{ method: 'act', where: [{ argument, is: 'true' }] }]).problems;
    expect(problems('a')[0]?.requirement).toContain('must be a position: 0 and 1');
    expect(problems('1')).toEqual([]);
  });
});

test('no call of a contract is let through while one of its rules does not fit, whatever the other rules say', () => {
  const fitting = { contract: router, method, where: [own] };
  const gone = { contract: router, method: 'gone', where: [own] };
  const skim = encodeFunctionData({ abi: swap, functionName: 'skim' });
  for (const contracts of [new Map(), new Map([[router.toLowerCase(), contractOf(swap)]])]) {
    const { rules } = readCallRules([fitting, gone], contracts);
    const call = { target: router, selector: '0x1dd19cb4', content: { value: 0n, data: skim } } as const;
    expect(ruleOnArguments(rules, [call], sender)[0]?.refusal).toMatchObject({
      reason: 'ARGUMENT_NOT_ALLOWED',
      details: { target: router, selector: call.selector },
    });
    expect(ruleOnArguments(rules, [{ ...call, target: bob }], sender)[0]?.refusal).toBeUndefined();
  }
});

describe('rules on the elements of a list', () => {
  const abi = parseSignatures(['function act(uint256[] amounts, uint256[][] routes)']);
  const words = 2_000;
  const amounts = Array.from({ length: words }, () => 1n);
  const empty = Array.from({ length: words / 2 }, () => []);
  const conditions = (argument: string, count: number) =>
    Array.from({ length: count / 20 }, () => ({
      method: 'act',
      where: [...Array.from({ length: 19 }, () => ({ argument, is: '1' })), { argument: 'msg.value', is: '1' }],
    }));
  const send = (data: Hex, argument: string, count: number) =>
    refusalOf(abi, [...conditions(argument, count), { method: 'act', where: [{ argument: 'msg.value', is: '0' }] }], {
      data,
    });

  test.each([
    ['a list of many values', 'amounts[]', encodeFunctionData({ abi, args: [amounts, []] })],
    ['a list of many empty lists', 'routes[][]', encodeFunctionData({ abi, args: [[], empty] })],
  ])('refuse %s once comparing them takes more work than an operation may', (_, argument, data) => {
    expect(send(data, argument, 80)).toBeUndefined();
    const refusal = send(data, argument, 2_000);
    expect(refusal).toMatchObject({ reason: 'ARGUMENT_NOT_ALLOWED' });
    expect(refusal?.message).toContain(`more than ${maxComparisons} comparisons for this operation. Send fewer values`);
  });

  test('count the calls of an operation together', () => {
    const { rules } = rulesOf(abi, [
      { method: 'act', where: conditions('amounts[]', 20)[0]?.where.slice(0, 19) ?? [] },
    ]);
    const data = encodeFunctionData({ abi, args: [amounts, []] });
    const call = { target: router, selector: data.slice(0, 10) as Hex, content: { value: 0n, data } };
    expect(ruleOnArguments(rules, [call, call], sender)[0]?.refusal).toBeUndefined();
    const refusal = ruleOnArguments(
      rules,
      Array.from({ length: 10 }, () => call),
      sender,
    )[0]?.refusal;
    expect(refusal?.message).toContain('comparisons');
  });

  test('take more work than a condition on the value sent, which is one comparison for a call of any length', () => {
    const { rules } = rulesOf(abi, [{ method: 'act', where: [{ argument: 'msg.value', is: '0' }] }]);
    const data = encodeFunctionData({ abi, args: [amounts, []] });
    const call = { target: router, selector: data.slice(0, 10) as Hex, content: { value: 0n, data } };
    const calls = Array.from({ length: maxComparisons / words + 1 }, () => call);
    expect(ruleOnArguments(rules, calls, sender)[0]?.refusal).toBeUndefined();
  });
});
