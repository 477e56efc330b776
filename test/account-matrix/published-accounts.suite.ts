import { inject } from 'vitest';
import { publishedAccounts } from '../support/accounts/published/published-accounts.ts';
import { describeAccounts } from './describe-accounts.ts';

describeAccounts(publishedAccounts(inject('codeNode')));
