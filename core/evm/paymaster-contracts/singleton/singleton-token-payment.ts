import { parseAbi } from 'viem';

/**
 * Pimlico's `UserOperationSponsored`: in token mode of postOp, with what was pulled; in sponsored mode of validation, with
 * the zero address as token.
 */
export const singletonTokenPaymentEvents = parseAbi([
  'event UserOperationSponsored(bytes32 indexed userOperationHash, address indexed user, uint8 paymasterMode, address token, uint256 amount, uint256 exchangeRate)',
]);
