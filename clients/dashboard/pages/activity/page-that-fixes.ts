import type { FixItem } from '@tollfree/contract/decision-fields';
import { fieldNames } from '../policy/field-names.ts';

const contracts = '/paymasters/$paymasterId/contracts';
const policy = '/paymasters/$paymasterId/policy';
const webhooks = '/paymasters/$paymasterId/webhooks';
const gasTank = '/paymasters/$paymasterId/gas-tank';

export type FixingPage = {
  readonly to: typeof contracts | typeof policy | typeof webhooks | typeof gasTank;
  readonly text: string;
};

/** The page on which a refusal is fixed, and what is to be done there. */
export function pageThatFixes({ action, target, policyField }: FixItem): FixingPage {
  switch (action) {
    case 'register-contract':
      return { to: contracts, text: target === undefined ? 'Register a contract' : `Register ${target}` };
    case 'whitelist-method':
      return { to: contracts, text: 'Go to the contracts' };
    case 'change-policy': {
      const name = policyField === undefined ? undefined : (fieldNames[policyField] ?? policyField);
      return { to: policy, text: name === undefined ? 'Go to the policy' : `Change “${name}” in the policy` };
    }
    case 'look-at-webhook':
      return { to: webhooks, text: 'Go to the webhooks' };
    case 'deposit':
      return { to: gasTank, text: 'Deposit into the gas tank' };
  }
}
