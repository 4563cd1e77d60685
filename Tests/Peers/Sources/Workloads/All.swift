import PeerSupport

/// All workloads, for this library.
public var workloads: [Workload] { PerValue.all + Subjects.all + SettingUp.all }

/// All kinds of subscriptions whose memory is measured, for this library.
public var footprints: [Footprint] { Footprints.all }
