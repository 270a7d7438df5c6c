/** `pnpm chains:balances`: payments' command. */
import '../services/payments/src/chain-commands/balances-command.ts'
