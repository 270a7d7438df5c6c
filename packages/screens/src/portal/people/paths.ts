export const PEOPLE_PATH = '/portal/people'
