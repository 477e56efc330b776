import type { PolicyRequest } from '@tollfree/contract/policy';
import { type Address, getAddress, numberToHex } from 'viem';

/** Sizes of a set-up, by default the largest that is allowed. */
export type SetUpSizes = {
  /** Contracts with as many parameters as an ABI has room for, and contracts with as many methods. */
  readonly wide: number;
  readonly long: number;
  /** Characters of the text of an ABI. */
  readonly abi: number;
  readonly parametersOfMethod: number;
  readonly methods: number;
  readonly whitelisted: number;
  readonly rules: number;
  readonly limits: number;
  readonly senders: number;
  readonly policies: number;
};

/** An ABI of 512 KiB of text has a fourth more in a JSON body, which may have as much. */
export const largestSetUp: SetUpSizes = {
  wide: 40,
  long: 20,
  abi: 400_000,
  parametersOfMethod: 256,
  methods: 2_000,
  whitelisted: 80,
  rules: 100,
  limits: 20,
  senders: 1_000,
  policies: 50,
};

export const setUpAddress = (index: number): Address => getAddress(numberToHex(0x5e7 + index, { size: 20 }));

/** The contracts of a set-up as they are registered. */
export function* contractsOf(sizes: SetUpSizes) {
  for (let index = 0; index < sizes.wide + sizes.long; index += 1) {
    const methods =
      index < sizes.wide ? wideMethods(sizes) : Array.from({ length: sizes.methods }, (_, at) => ({ name: `l${at}` }));
    const whitelistedMethods = methods.slice(0, sizes.whitelisted).map(({ name }) => name);
    yield { name: `Contract ${index}`, address: setUpAddress(index), abi: JSON.stringify(methods), whitelistedMethods };
  }
}

/** Methods without names for their parameters: the shortest text for the most parameters. */
function wideMethods({ abi, parametersOfMethod }: SetUpSizes) {
  const inputs = Array.from({ length: parametersOfMethod }, () => ({ type: 'bool' }));
  const method = (at: number) => ({ name: `w${at}`, inputs });
  const count = Math.floor(abi / (JSON.stringify(method(1_000)).length + 1));
  return Array.from({ length: count }, (_, at) => method(at));
}

/** A policy with as many rules, limits and senders, which are others for each number. */
export function policyOf(
  { wide, long, abi, parametersOfMethod, rules, limits, senders, whitelisted }: SetUpSizes,
  number: number,
): PolicyRequest {
  const methodsOf = Math.floor(abi / (parametersOfMethod * 16 + 30));
  return {
    sponsorAllCalls: true,
    blockedSenders: Array.from({ length: senders }, (_, at) =>
      getAddress(numberToHex(0xb10c_0000 + number * 1_000 + at, { size: 20 })),
    ),
    callRules: Array.from({ length: rules }, (_, at) => ({
      contract: setUpAddress(at % wide),
      method: `w${Math.floor((number * rules + at) / wide) % Math.min(methodsOf, whitelisted)}`,
      where: [{ argument: String(parametersOfMethod - 1), is: 'true' }],
    })),
    limits: Array.from({ length: limits }, (_, at) => ({
      per: 'TOTAL',
      window: 'DAY',
      unit: 'OPERATIONS',
      max: String(1_000_000 + number),
      contract: setUpAddress(wide + (at % long)),
    })),
  };
}
