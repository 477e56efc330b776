import { expect, test } from 'vitest';
import { endOfTime } from '../../core/evm/entry-point/entry-point-abi.ts';
import { type StoredFinding, textsOf } from '../../core/policies/findings/finding.ts';
import { holdFindings } from '../../core/policies/findings/hold-findings.ts';
import { policyFindings } from '../../core/policies/findings/policy-findings.ts';
import { stepFindings } from '../../core/policies/findings/step-findings.ts';

const tables = { ...policyFindings, ...holdFindings, ...stepFindings };
type Tables = typeof tables;
type WithValues = { [Name in keyof Tables]: Tables[Name] extends string ? never : Name }[keyof Tables];
type Example<Name extends WithValues> = readonly [values: Parameters<Tables[Name]>, ...texts: (string | undefined)[]];

const target = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
/** 15 January 2027, 08:00:00 UTC. */
const now = 1_800_000_000;

/** Findings with values, as decisions store them for good, and their texts: what was checked, the limit, the use. */
const examples: { readonly [Name in WithValues]: readonly Example<Name>[] } = {
  'policy-calls': [
    [[1, 2], '1 call', '2 registered contracts'],
    [[2, 1], '2 calls', '1 registered contract'],
    [[0, 'sponsorAllCalls'], '0 calls', 'sponsorAllCalls is set'],
    [['deployment', 'allowAccountDeployment'], 'an account deployment without calls', 'allowAccountDeployment is set'],
  ],
  'call-arguments': [[[1, 3], '1 of 3 calls, whose methods have rules']],
  'call-rules-broken': [[[target], `a call of ${target}`, 'rules that fit the registered contract']],
  'call-not-canonical': [[['mint()', target], `mint() of ${target}`, 'arguments in canonical encoding']],
  'call-comparisons': [[['mint()', target, 9], `mint() of ${target}`, '9 comparisons per operation']],
  'call-arguments-refused': [
    [['id of 5', 'mint(uint256)', target, 'id: 4'], `id of 5 in mint(uint256) of ${target}`, 'id: 4'],
  ],
  'limited-calls': [[[target], `a call of ${target}`, 'limits that fit the registered contract']],
  'policy-tokens': [
    [[], 'payment in tokens'],
    [[target], `payment in ${target}`],
    [[undefined, 'enabled'], 'payment in tokens', 'tokens.enabled is false'],
    [[target, 'allowed'], `payment in ${target}`, 'one of tokens.allowed'],
  ],
  'policy-ticket': [
    [[undefined, true], 'no ticket', 'a ticket'],
    [['subject:1', false], 'a ticket of subject:1'],
  ],
  'policy-sender': [
    [[target], `the sender ${target}`],
    [[target, 'blockedSenders'], `the sender ${target}`, 'not one of blockedSenders'],
    [[target, 'allowedSenders'], `the sender ${target}`, 'one of allowedSenders'],
  ],
  'policy-period': [
    [[now], '2027-01-15T08:00:00Z'],
    [[now, now - 1], '2027-01-15T08:00:00Z', 'from 2027-01-15T07:59:59Z'],
    [[now, undefined, now + 1], '2027-01-15T08:00:00Z', 'before 2027-01-15T08:00:01Z'],
    [[now, 0, 60], '2027-01-15T08:00:00Z', 'from 1970-01-01T00:00:00Z, before 1970-01-01T00:01:00Z'],
  ],
  'policy-pause': [
    [[now, false], '2027-01-15T08:00:00Z'],
    [[now, true], '2027-01-15T08:00:00Z', 'outside the pauses'],
  ],
  'policy-relay-gas-price': [
    [[7n], 'up to 7 wei per gas for the bundle'],
    [[7n, 6n], 'up to 7 wei per gas for the bundle', '6 wei'],
  ],
  'policy-gas-price': [
    [[7n], 'maxFeePerGas of 7 wei'],
    [[7n, 6n], 'maxFeePerGas of 7 wei', '6 wei'],
  ],
  'policy-relay': [
    [['RELAY', 'ONLY'], 'a relayed operation', 'relay ONLY'],
    [['CONTRACT', 'NEVER'], 'a paymaster contract', 'relay NEVER'],
  ],
  'policy-share': [[[40], 'mode SPONSORED', 'userPaysPercent 40']],
  'policy-accounts': [[['KNOWN', 'The account is a Safe.'], 'The account is a Safe.', 'accounts is KNOWN']],
  'policy-gas': [
    [[undefined, 9], 'gas limits that were not recorded'],
    [[8n], '8 gas'],
    [[8n, 9], '8 gas', '9 gas'],
  ],
  'policy-method-gas': [
    [[9n, 8, target, 'mint'], `a callGasLimit of 9 with a call of mint of ${target}`, '8 gas'],
    [[undefined, 8, target], `a callGasLimit that was not recorded with a call of ${target}`, '8 gas'],
  ],
  'policy-cost': [
    [[8n], 'at most 8 wei'],
    [[8n, 1_000_001n], 'at most 8 wei, 1.000001 USD'],
    [[8n, undefined, 9n], 'at most 8 wei', '9 wei'],
    [[8n, 2n, undefined, 30n], 'at most 8 wei, 0.000002 USD', '0.000030 USD'],
    [[8n, 2n, 9n, 30n], 'at most 8 wei, 0.000002 USD', '9 wei, 0.000030 USD'],
  ],
  limit: [
    [
      ['sender', 'hour', 'operations', 3n, 1n, 2n],
      '2 operations asked by the sender',
      '3 operations in an hour',
      '1 operation',
    ],
    [['subject', 'day', 'wei', 3n, 1n, 2n], '2 wei asked by the user', '3 wei in a day', '1 wei'],
    [
      ['total', 'week', 'usdMicros', 3_000_000n, 1n, 20n],
      '0.000020 USD asked',
      '3.000000 USD in a week',
      '0.000001 USD',
    ],
    [['key', 'month', 'wei', 3n, 1n, 2n], '2 wei asked with the apiKey', '3 wei in a month', '1 wei'],
    [['ticket', 'ever', 'wei', 3n, 1n, 2n], '2 wei asked with the ticket', '3 wei ever', '1 wei'],
    [
      ['total', 'day', 'operations', 3n, 2n, 1n, target],
      `1 call of ${target} asked`,
      `3 calls of ${target} in a day`,
      '2 calls',
    ],
    [
      ['total', 'day', 'wei', 3n, 2n, 1n, target, 'mint'],
      `1 wei for operations that call mint of ${target} asked`,
      `3 wei for operations that call mint of ${target} in a day`,
      '2 wei',
    ],
  ],
  'account-budget': [
    [
      ['all', 'month', 9n, 2n],
      'the price of the coin is unknown, and the operation is of the budget “all”',
      '0.000009 USD in a month',
      '0.000002 USD',
    ],
    [['all', 'month', 9n, 2n, 3n], '0.000003 USD asked of the budget “all”', '0.000009 USD in a month', '0.000002 USD'],
  ],
  'gas-tank': [
    [[5n, 9n], 'worst case 5 wei', '9 wei available'],
    [[5n, 9n, 2n], 'worst case 5 wei, of which 2 wei are already held for the same nonce', '9 wei available'],
  ],
  'pending-signature': [
    [[now], 'a paymaster signature for this sender and nonce, which can land until 2027-01-15T08:00:00.000Z'],
    [[endOfTime], 'a paymaster signature for this sender and nonce, which can land until it is released'],
  ],
  'policy-ended': [[['policy-1'], 'policy policy-1']],
  'operator-holds': [
    [['sender', 5n, 2, 3], 'open operations of this sender, requested by this client: 2, which hold 5 wei', '3'],
    [['client', 5n, 2, 3, 9n], 'open operations of this client address: 2, which hold 5 wei', '3, and 9 wei'],
    [
      ['withoutExpiry', 5n, undefined, undefined, 9n],
      'open operations of all signatures without expiry: 5 wei',
      '9 wei',
    ],
    [['lastingLong', 5n, undefined, undefined, 9n], 'open operations of all long-lasting signatures: 5 wei', '9 wei'],
  ],
  'operator-unpaid': [
    [[1n, 2n, 3n, 4n], 'unpaid or not paid yet: 1 wei of this sender, 2 wei in total', '3 wei and 4 wei'],
  ],
  'open-payments': [
    [
      [2, 7n, 5n, 9n],
      '5 base units of the token, and 7 of 2 other open operations of this sender, requested by this client',
      '9 base units, which the sender has',
    ],
  ],
  'vendor-budget': [
    [['day', 1n, 9n, 5n], '0.000001 USD at worst, of all requests in a day', '0.000009 USD', '0.000005 USD'],
    [['month', 1n, 9n, 5n], '0.000001 USD at worst, of all requests in a month', '0.000009 USD', '0.000005 USD'],
    [['client', 1n, 9n, 5n], '0.000001 USD at worst, of this client address in a day', '0.000009 USD', '0.000005 USD'],
  ],
  'api-key': [[['web'], 'the apiKey "web"']],
  'api-key-origins': [
    [['https://a.example', 'origins'], 'a request from the origin https://a.example', 'origins'],
    [[undefined, 'origins'], 'a request without an Origin', 'origins'],
  ],
  'api-key-networks': [[['192.0.2.1', 'networks'], 'a request from 192.0.2.1', 'networks']],
  'api-key-methods': [[['pm_a', 'methods'], 'pm_a', 'methods']],
  'api-key-rate': [[['10 in a minute'], 'how often the apiKey sends requests', '10 in a minute']],
  operation: [[['0.7'], 'a user operation of EntryPoint 0.7']],
  policy: [
    [['policy-1', 'Free mints'], 'policy policy-1 (Free mints)'],
    [['policy-1', undefined], 'policy policy-1, which does not belong to this paymaster'],
  ],
  'changing-settings': [[[3], "the paymaster's settings, read 3 times"]],
  mode: [[['RELAY'], 'mode RELAY']],
  decode: [[[68], '68 bytes of callData']],
  'unread-calls': [[[4], '4 bytes of callData, which could not be read; no rule of this paymaster needs the calls']],
  ticket: [
    [['subject:1', 'k"1', now], 'a ticket of subject:1 by key "k\\"1" until 2027-01-15T08:00:00.000Z'],
    [
      ['subject:1', 'k', now, 'app', 'la"bel'],
      'a ticket of subject:1 by key "k" until 2027-01-15T08:00:00.000Z, azp "app", label "la\\"bel"',
    ],
  ],
  'operator-gas-price': [[[7n], 'maxFeePerGas 7 wei']],
  chain: [[[10], 'the state of chain 10']],
  'chain-gas-price': [
    [
      [7n, 6n, 5n, 4n],
      'maxFeePerGas 7 wei and maxPriorityFeePerGas 6 wei with a base fee of 5 wei and a suggested tip of 4 wei',
    ],
    [
      [7n, 6n],
      'maxFeePerGas 7 wei and maxPriorityFeePerGas 6 wei with a base fee of ? wei and a suggested tip of ? wei',
    ],
  ],
  'relay-price': [
    [[5n], 'the price that executors pay, with a base fee of 5 wei'],
    [[], 'the price that executors pay, with a base fee of ? wei'],
  ],
  'token-price': [
    [['USDC', 100], 'the price of USDC'],
    [['USDC', 40], 'the price of USDC, of which the user pays 40 %'],
  ],
  'token-prices': [
    [[1, 100], 'the price of the token'],
    [[2, 40], 'the prices of 2 tokens, of which the user pays 40 %'],
  ],
  webhook: [
    [['hook', false], 'webhook hook'],
    [['hook', true, ' (cached)'], 'webhook hook, with the operation (cached)'],
    [['hook', false, undefined, 'timeout'], 'webhook hook; sponsored without it: timeout'],
  ],
  'gas-limits': [
    [[true], 'gas limits estimated by the service'],
    [[false], 'the limits that were sent'],
  ],
  'token-payment': [
    [['USDC', false], 'a simulated payment in USDC'],
    [['USDC', true], 'a simulated payment in USDC, collected before the call'],
  ],
  'operator-cost': [[[5n], 'worst case 5 wei']],
  funds: [[[5n], 'worst case 5 wei with the limits known so far']],
  'own-paymaster': [
    [['the gas tank', 'It is empty.'], 'the gas tank: It is empty. The vendor’s paymaster is asked instead.'],
    [
      [undefined, 'It is empty.'],
      'the paymaster of this service: It is empty. The vendor’s paymaster is asked instead.',
    ],
  ],
  'vendor-refused': [[['no'], 'the vendor’s paymaster: no']],
  'vendor-stub': [[[target], `stub by the vendor, with the paymaster contract ${target}`]],
  'vendor-answer': [[[target, 5n], `answered by the vendor, with the paymaster contract ${target}`, '5 wei at worst']],
};

const stored = Object.entries(examples).flatMap(([name, rows]) =>
  rows.map(([values, ...texts]) => ({ name, values, texts })),
);

test.each(stored)('$name of $values has its texts', ({ name, values, texts: [checked, limit, used] }) => {
  const finding: StoredFinding = [name, ...values];
  expect(textsOf(finding)).toEqual({ checked, limit, used });
});

test('each finding without values has a text of its own', () => {
  const texts = Object.values(tables).filter((finding) => typeof finding === 'string');
  expect(texts).not.toContain('');
  expect(new Set(texts).size).toBe(texts.length);
});
