package io.jgloo.transport;

import org.junit.jupiter.api.Timeout;

/**
 * Holds a device to everything the SPI's Javadoc promises.
 *
 * <p>A device's own test class says how to open one, and inherits the rest. The suites are
 * interfaces, one for each promise, so that a test is named {@code TcpDeviceTest#test}.
 */
@Timeout(100)
public abstract class DeviceContract
    implements MessageContract,
        UnexpectedContract,
        ReductionContract,
        ReceiveAnyContract,
        CancelContract,
        MismatchContract,
        WaitingContract,
        ThreadsContract,
        ClosingContract,
        MemorySafetyContract,
        AbortContract,
        ConnectContract,
        UsageContract {}
