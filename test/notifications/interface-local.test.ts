import { describeNotifications } from './interface.suite.ts';

describeNotifications('local');
