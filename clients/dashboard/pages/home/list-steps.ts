import type { DecisionItem } from '@tollfree/contract/decision-fields';
import type { GasTankItem } from '@tollfree/contract/gas-tank';
import type { PolicyItem } from '@tollfree/contract/policy';
import type { SmartContractItem } from '@tollfree/contract/smart-contract';

export type Step = {
  readonly title: string;
  readonly text: string;
  readonly isDone: boolean;
  readonly to?:
    | '/paymasters/$paymasterId'
    | '/paymasters/$paymasterId/contracts'
    | '/paymasters/$paymasterId/gas-tank'
    | '/paymasters/$paymasterId/activity';
  readonly action?: string;
};

/** The steps to a first sponsored operation; what is done is seen in what the service holds. */
export function listSteps(state: {
  readonly contracts: readonly SmartContractItem[];
  readonly policy: PolicyItem;
  readonly tank: GasTankItem;
  readonly signed: readonly DecisionItem[];
}): readonly Step[] {
  const { contracts, policy, tank, signed } = state;
  const mayCall = contracts.some(({ whitelistedMethods }) => whitelistedMethods.length > 0);
  return [
    { title: 'Create a paymaster', text: 'It has an apiKey and an address of its own.', isDone: true },
    {
      title: 'Say which calls are paid for',
      text: 'Register a contract and choose its methods. Every other call is refused.',
      isDone: mayCall || policy.sponsorAllCalls,
      to: '/paymasters/$paymasterId/contracts',
      action: 'Register a contract',
    },
    {
      title: 'Set the funding wallet',
      text: 'The wallet that fills the tank proves by a signature that it is yours.',
      isDone: tank.fundingWallet !== undefined,
      to: '/paymasters/$paymasterId/gas-tank',
      action: 'Set the wallet',
    },
    {
      title: 'Fill the gas tank',
      text: 'What is in the tank is the most that can be spent.',
      isDone: tank.funded !== '0',
      to: '/paymasters/$paymasterId/gas-tank',
      action: 'Deposit',
    },
    {
      title: 'Ask for a sponsorship',
      text: 'Put the RPC URL into your application, or paste the code that is ready for you.',
      isDone: signed.length > 0,
      to: '/paymasters/$paymasterId',
      action: 'Get the code',
    },
    {
      title: 'See the operation land',
      text: 'When a signed operation has landed, its cost is booked to the tank.',
      isDone: tank.settled !== '0',
      to: '/paymasters/$paymasterId/activity',
      action: 'See the activity',
    },
  ];
}
