/** SQL: names the server's data folder and its history. A promotion and a recovery to a moment begin a new timeline. */
export const SERVER_HISTORY = `
  (SELECT system_identifier FROM pg_control_system()) || '/' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)`
