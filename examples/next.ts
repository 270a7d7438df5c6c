/** Route handlers as Next.js, Hono, Bun, Deno and workers take them: a `Request` in, a `Response` out. */
import { VerificationError, verifyPartnerEvent } from '@causeway/webhook-verifier'
import { createShop, type Application, type Settings } from './shop.ts'

type Handler = (request: Request, context: { params: Promise<{ id: string }> }) => Promise<Response>

type Routes = Partial<Record<'GET' | 'POST', Handler>>

/** Each is what `app/<path>/route.ts` exports. */
export const createRoutes = (settings: Settings): Record<string, Routes> => {
  const shop = createShop(settings)
  const hooks: Handler = async (request) => {
    try {
      const event = await verifyPartnerEvent(await request.bytes(), request.headers, settings.webhookSecret)
      await shop.take(event)
      return new Response(null, { status: 200 })
    } catch (error) {
      console.error(error)
      return new Response(null, { status: error instanceof VerificationError ? error.statusCode : 500 })
    }
  }
  const merchants: Handler = async (request) =>
    Response.json(await shop.signUp((await request.json()) as Application))
  const invoices: Handler = async (request, { params }) => {
    const { invoice, euros } = (await request.json()) as { invoice: string; euros: number }
    return Response.json(await shop.sell((await params).id, invoice, euros))
  }
  const orders: Handler = async (_request, { params }) =>
    Response.json({ paid: shop.isPaid((await params).id) })
  return {
    'app/hooks/route.ts': { POST: hooks },
    'app/merchants/route.ts': { POST: merchants },
    'app/merchants/[id]/invoices/route.ts': { POST: invoices },
    'app/orders/[id]/route.ts': { GET: orders },
  }
}
