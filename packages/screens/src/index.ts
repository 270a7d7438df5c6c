export { errorPage } from './error-page.ts'
export { paymentScreens, type PaymentPageOptions } from './payment-page/screens.ts'
export type { Answer, Ask, Reply, Screen, ScreenRequest, StreamMessage, StreamWriter } from './screen.ts'
