/** What the server says of Ticket to Ride, by the types made of its schema. */

import type { BoardData, TicketToRideView } from '../../api/schema'

export type {
  LocationData as Location,
  Prospect,
  RouteData as Route,
  TicketData as Ticket,
} from '../../api/schema'

export type Point = [number, number]
export type MapData = BoardData
export type View = TicketToRideView
