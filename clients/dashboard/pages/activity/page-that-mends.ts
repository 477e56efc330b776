const contracts = { to: '/paymasters/$paymasterId/contracts', text: 'Go to the contracts' } as const;
const policy = { to: '/paymasters/$paymasterId/policy', text: 'Go to the policy' } as const;
const webhooks = { to: '/paymasters/$paymasterId/webhooks', text: 'Go to the webhooks' } as const;
const gasTank = { to: '/paymasters/$paymasterId/gas-tank', text: 'Go to the gas tank' } as const;

type MendingPage = typeof contracts | typeof policy | typeof webhooks | typeof gasTank;

const pages: Readonly<Record<string, MendingPage>> = {
  NO_POLICIES: contracts,
  CONTRACT_NOT_REGISTERED: contracts,
  METHOD_NOT_WHITELISTED: contracts,
  ACCOUNT_NOT_KNOWN: policy,
  SENDER_BLOCKED: policy,
  LIMIT_EXCEEDED: policy,
  GAS_PRICE_TOO_HIGH: policy,
  TOKEN_NOT_SUPPORTED: policy,
  WEBHOOK_REFUSED: webhooks,
  WEBHOOK_UNAVAILABLE: webhooks,
  INSUFFICIENT_FUNDS: gasTank,
};

/** The page on which a refusal of this reason is mended; undefined when it is not for the account holder to do. */
export function pageThatMends(reason: string | undefined): MendingPage | undefined {
  return reason === undefined ? undefined : pages[reason];
}
