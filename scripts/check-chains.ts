/** `pnpm chains:check`: payments' command. */
import '../services/payments/src/chain-commands/check-command.ts'
