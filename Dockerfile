# One image for every process: which one it runs is its command. The TypeScript source runs as it is, so there
# is no build step; the first stage only installs.
FROM node:24-bookworm-slim AS install
WORKDIR /app
ENV CI=true
COPY pnpm-lock.yaml pnpm-workspace.yaml ./
RUN npx -y pnpm@12.21.0 fetch --prod
COPY . .
RUN npx -y pnpm@12.21.0 install --prod --no-optional --offline --frozen-lockfile

FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production HEALTH_HOST=0.0.0.0 HEALTH_PORT=9090 GATEWAY_HOST=0.0.0.0 SANDBOX_HOST=0.0.0.0
COPY --from=install /app/package.json ./
COPY --from=install /app/node_modules ./node_modules
COPY --from=install /app/packages ./packages
COPY --from=install /app/services ./services
COPY --from=install /app/sandbox ./sandbox
COPY deploy/healthcheck.js ./healthcheck.js
USER node
EXPOSE 8080 8090 9090
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s --retries=5 CMD ["node", "healthcheck.js"]
# Node handles SIGTERM itself: every process finishes its work in flight, then ends.
ENTRYPOINT ["node"]
CMD ["services/gateway/src/main.ts"]
