import { expect, test } from 'vitest';
import { parsePolicyDocument } from '../../clients/cli/policy-file/policy-document.ts';

const parse = (text: string) => parsePolicyDocument(text, 'policy.jsonc');
const limit = '"per": "SENDER", "window": "DAY", "unit": "OPERATIONS"';

test('comments, commas behind the last entry and the schema’s name say nothing', () => {
  const plain = parse('{"policy":{"maxFeePerGas":"7"},"policies":[{"name":"A","policy":{}}]}');
  const written = `// Of the game.
  {
    "policies": [{ "policy": { /* as the default */ }, "name": "A", }],
    "policy": { "maxFeePerGas": "7", }, // in wei
    "$schema": "https://gas.example.org/schemas/policy.json",
  }`;
  expect(parse(written)).toEqual(plain);
  expect(plain).toMatchObject({ policy: { maxFeePerGas: '7', accounts: 'KNOWN' }, policies: [{ enabled: true }] });
});

test('what is not said of the named policies is not an empty list', () => {
  expect(parse('{"policy":{}}')).not.toHaveProperty('policies');
  expect(parse('{"policy":{},"policies":[]}').policies).toEqual([]);
});

test.each([
  ['{}', 'policy must be an object'],
  ['[]', 'it must be a JSON object'],
  ['{"policy":{},"polices":[]}', 'polices is not known'],
  ['{"policy":{"limit":[]}}', 'policy.limit is not known'],
  [`{"policy":{"limits":[{${limit},"max":"1","maximum":"2"}]}}`, 'policy.limits[0].maximum is not known'],
  [`{"policy":{"limits":[{${limit},"max":"many"}]}}`, 'policy.limits[0].max must be a whole number in decimal digits'],
  ['{"policy":{"maxFeePerGas":7}}', 'policy.maxFeePerGas must be a string'],
  ['{"policy":{"notBefore":2,"notAfter":1}}', 'policy.notAfter must be later than notBefore'],
  ['{"policy":{},"policies":[{"policy":{}}]}', 'policies[0].name must be a string'],
  ['{"policy":{},"policies":[{"name":"A"}]}', 'policies[0].policy must be an object'],
  [
    '{"policy":{},"policies":[{"name":"A","policy":{}},{"name":"B","policy":{},"closed":true}]}',
    'policies[1].closed is not known',
  ],
  ['{"policy":{},"policies":[{"name":"A","policyId":"tfp_1","policy":{}}]}', 'policies[0].policyId is not known'],
  ['{"policy":{},"policies":[{"name":"A","icon":"x","policy":{}}]}', 'policies[0].icon must be a data URI'],
  [
    '{"policy":{},"policies":[{"name":"A","policy":{"tokens":{"on":true}}}]}',
    'policies[0].policy.tokens.on is not known',
  ],
  [
    '{"policy":{},"policies":[{"name":"A","policy":{"blockedSenders":["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed"]}}]}',
    'policies[0].policy.blockedSenders[0] must be a valid address',
  ],
  [
    '{"policy":{},"policies":[{"name":"A","policy":{}},{"name":"A","policy":{"sponsorAllCalls":true}}]}',
    'policies[1].name must differ from policies[0].name',
  ],
  ['{"policy":{},"$schema":7}', '$schema must be a string'],
])('%s is refused with its place', (text, sentence) => {
  expect(() => parse(text)).toThrow(`The policy file policy.jsonc is not valid: ${sentence}`);
});

test.each([
  ['{"policy":{"sponsorAllCalls":false,\n"sponsorAllCalls":true}}', '"sponsorAllCalls" is repeated in line 2.'],
  ['{"policy":{},\n"policy":{"sponsorAllCalls":true}}', '"policy" is repeated in line 2.'],
  ['{"policy":{"__proto__":{"limits":[]}}}', '__proto__ in line 1 is not known.'],
])('%j, which could be read in two ways, is refused', (text, sentence) => {
  expect(() => parse(text)).toThrow(`The policy file policy.jsonc is not valid: ${sentence}`);
});

test.each([
  ['', 'is not valid JSON: value expected in line 1.'],
  ['// nothing', 'is not valid JSON: value expected in line 1.'],
  ['{"policy":{}', 'is not valid JSON: close brace expected in line 1.'],
  ['{"policy":{}}\n}', 'is not valid JSON: end of file expected in line 2.'],
])('%j is no JSON', (text, sentence) => {
  expect(() => parse(text)).toThrow(`The policy file policy.jsonc ${sentence}`);
});
